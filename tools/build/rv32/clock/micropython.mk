SRC_USERMOD_C += $(USERMOD_DIR)/clock.c
LDFLAGS_USERMOD += -Wl,--wrap=mp_hal_stdio_poll
