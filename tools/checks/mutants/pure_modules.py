"""The pure modules and the test files of each: what `make mutants` changes, and what it runs."""

CARDS = "tests/bridge/cards/"
OFFLINE = "tests/bridge/offline/"
HOUSE = "tests/bridge/home_assistant/"
HOUSE_VALUES = HOUSE + "test_home_assistant_values.py"
HOUSE_FAILURES = HOUSE + "test_home_assistant_failures.py"
SPOKEN_TESTS = "tests/bridge/spoken/"
CABLE = "tests/bridge/cable/"
LINK = "tests/bridge/link/"
LIMITS = "tests/bridge/test_limits.py"
TOOLHUB = "tests/bridge/toolhub/"
SESSION = "tests/bridge/session/"
TIMERS = "tests/both/timers/"
BOOK = (TIMERS + "test_timers_book.py",)
PICTURES = "tests/bridge/device/test_screen_pictures.py"

PAGES = (CARDS + "test_card_cases.py", CARDS + "test_golden_pages.py", LIMITS)
FIT = (CARDS + "test_fit.py", *PAGES)
TEXT = (*PAGES, CARDS + "text/test_twins.py", CARDS + "text/test_foreign_text.py")
MARKDOWN = (CARDS + "text/test_markdown.py", CARDS + "text/test_markdown_edges.py",
            CARDS + "text/test_html.py", *TEXT)  # fmt: skip
READ = (
    CARDS + "test_reading.py",
    CARDS + "test_result_parts.py",
    CARDS + "test_slides.py",
    *PAGES,
    CARDS + "dialects",
)
LIVE = (CARDS + "test_live_card.py", CARDS + "test_run_card.py")
INTENTS = (
    OFFLINE + "test_words.py",
    OFFLINE + "test_sentence_files.py",
    OFFLINE + "test_interpretation.py",
    OFFLINE + "test_catalogue.py",
    OFFLINE + "test_near_sentences.py",
    LIMITS,
)
SPOKEN = tuple(
    SPOKEN_TESTS + name
    for name in (
        "test_spoken_forms.py", "test_speech_edges.py", "test_speech_text.py",
        "test_spoken_words.py",
    )
)  # fmt: skip
SCHEMA = (TOOLHUB + "schema/test_reader.py", TOOLHUB + "schema/test_validation.py", LIMITS)
LISTING = (TOOLHUB + "test_listing.py", TOOLHUB + "test_patterns.py", LIMITS)

# folder -> its modules -> the test files of each
FOLDERS: dict[str, dict[str, tuple[str, ...]]] = {
    "firmware/voxwire": {
        "audio": ("tests/both/wire/test_audio_frame.py",),
        "blob": ("tests/both/wire/test_blob.py",),
        "capability": ("tests/both/wire/test_capability.py",),
        "card": ("tests/both/wire/test_wire_card.py", "tests/both/test_card_layout.py"),
        "fields": ("tests/both/wire/test_value.py", "tests/both/wire/test_message.py"),
        "json_text": ("tests/both/wire/test_message.py",),
        "message": ("tests/both/wire/test_message.py",),
        "release": ("tests/both/wire/test_release.py",),
        "session": ("tests/both/wire/test_session.py",),
        "ticks": ("tests/both/wire/test_ticks.py",),
        "tool": ("tests/both/wire/test_tool_wire.py",),
        "topics": ("tests/both/wire/test_topics.py",),
        "value": ("tests/both/wire/test_value.py",),
    },
    "firmware/voxwire/type": {
        "drawing": ("tests/both/type/test_drawn_pages.py",),
        "scale": ("tests/both/type/test_type_scale.py",),
    },
    "firmware/voxwire/bridge_only": {
        "capability_reader": ("tests/both/wire/test_capability.py",),
        "card_writer": ("tests/both/wire/test_wire_card.py",),
        "channels": ("tests/both/wire/test_topics.py",),
        "tool_reader": ("tests/both/wire/test_tool_wire.py",),
    },
    "firmware/mqtt": {
        "reason": ("tests/both/test_mqtt_connection.py",),
        "inflight": ("tests/both/test_mqtt_packet.py",),
        "packet": ("tests/both/test_mqtt_packet.py",),
        "timing": ("tests/both/test_mqtt_connection.py", "tests/device/test_mqtt_client.py"),
        "writer": ("tests/both/test_mqtt_packet.py",),
    },
    "firmware/audio": {"jitter": ("tests/both/test_jitter.py",)},
    "firmware/provisioning": {
        name: (f"tests/both/set_up/test_{name}.py",)
        for name in ("improv", "mdns", "qr_code")
    },
    "firmware/provisioning/portal": {
        name: (f"tests/both/set_up/test_{name}.py",) for name in ("captive_dns", "http", "page")
    },
    "firmware/screen": {
        "cells": ("tests/both/test_cells.py",),
        "font": ("tests/both/test_font.py",),
        "icons": ("tests/both/test_icons.py",),
        "layout": ("tests/both/test_layout.py", PICTURES),
        "pages": ("tests/both/test_pages.py",),
        "scenes": ("tests/both/test_layout.py", PICTURES),
    },
    "firmware/session": {
        "buttons": ("tests/both/test_buttons.py",),
        "flow_state": ("tests/both/test_voice_flow.py", "tests/both/test_limits.py"),
        "limits": ("tests/both/test_limits.py",),
        "loudness": ("tests/both/test_loudness.py",),
        "reply": ("tests/both/test_voice_flow.py",),
        "talk": ("tests/both/test_voice_flow.py",),
        "voice_flow": ("tests/both/test_voice_flow.py",),
        "wake_gate": ("tests/both/test_wake_gate.py",),
    },
    "firmware/timers": {
        "book": BOOK,
        "entry": (*BOOK, TIMERS + "test_timers_stored.py"),
        "face": (TIMERS + "test_timers_face.py",),
        "finding": BOOK,
        "stored": (TIMERS + "test_timers_stored.py",),
        "wall": (TIMERS + "test_timers_wall.py", *BOOK),
        "words": (TIMERS + "test_timers_words.py", *BOOK),
    },
    "firmware/toolbox": {
        "registry": ("tests/both/test_registry.py",),
        "rpc": ("tests/both/test_rpc.py",),
    },
    "firmware/update": {"flow": ("tests/both/test_update_flow.py",)},
    "firmware/languages": {"__init__": ("tests/both/test_screen_words.py",)},
    "firmware": {"settings": ("tests/both/test_settings.py",)},
    "bridge/voxcard": {
        "audio": ("tests/bridge/test_audio.py",),
        "text_safety": ("tests/bridge/test_text_safety.py",),
    },
    "bridge/voxcard/media": {
        "formats": ("tests/bridge/media/test_formats.py", "tests/bridge/media/test_reader.py"),
        "wav": ("tests/bridge/media/test_formats.py", "tests/bridge/media/test_reader.py"),
    },
    "bridge/voxcard/config": {
        "broker_host": ("tests/bridge/test_config.py",),
        "file": ("tests/bridge/test_config.py",),
        "mqtt_section": ("tests/bridge/test_config.py",),
        "options": ("tests/bridge/test_config.py",),
    },
    "bridge/voxcard/session": {
        "pacing": (SESSION + "test_pacing.py",),
        "uplink": (SESSION + "test_uplink.py",),
    },
    "bridge/voxcard/session/turn": {
        "events": (SESSION + "turn/test_flow.py",),
        "flow": (SESSION + "turn/test_flow.py",),
        "flow_steps": (SESSION + "turn/test_flow.py",),
        "stages": (SESSION + "turn/test_stages.py",),
    },
    "bridge/voxcard/link/mqtt": {
        "backlog": (LINK + "mqtt/test_backlog.py", LIMITS),
        "packet_limit": (LINK + "mqtt/test_packet_limit.py", LIMITS),
    },
    "bridge/voxcard/cable/hardware": {"report": (CABLE + "test_hardware_report.py",)},
    "bridge/voxcard/cable": {
        "image": (CABLE + "test_image.py",),
        "running": (CABLE + "test_running.py",),
        "slots": (CABLE + "test_slots.py",),
        "start": (CABLE + "test_start.py",),
    },
    "bridge/voxcard/link": {
        "blob_room": (LINK + "test_blobs.py", LIMITS),
        "blobs": (LINK + "test_blobs.py", LIMITS),
        "devices": (LINK + "test_devices.py", LIMITS),
        "hello_requests": (LINK + "test_hello_requests.py", LIMITS),
        "hello_watch": (LINK + "test_hello_watch.py", LIMITS),
        "presence": (LINK + "test_presence.py", LIMITS),
        "problems": (LINK + "test_problems.py", LIMITS),
        "roster": (LINK + "test_roster.py", LIMITS),
    },
    "bridge/voxcard/toolhub": {
        "listing": LISTING,
        "outcome": (TOOLHUB + "test_outcome.py",),
        "patterns": LISTING,
        "slots": (TOOLHUB + "test_slots.py",),
    },
    "bridge/voxcard/toolhub/mcp": {"tools_page": (TOOLHUB + "mcp/test_tools_page.py",)},
    "bridge/voxcard/toolhub/schema": {
        "__init__": SCHEMA,
        "checker": SCHEMA,
        "combination": (TOOLHUB + "schema/test_combination.py", *SCHEMA),
        "keywords": SCHEMA,
        "reader": SCHEMA,
        "size": (TOOLHUB + "schema/test_size.py",),
        "validation": SCHEMA,
    },
    "bridge/voxcard/assistants/home_assistant": {
        "answer": (HOUSE + "test_home_assistant_answer.py",),
        "messages": (HOUSE_VALUES, HOUSE_FAILURES),
        "pipeline_events": (HOUSE_VALUES, HOUSE_FAILURES),
        "problems": (HOUSE_FAILURES,),
        "registry": (HOUSE_VALUES, HOUSE + "test_home_assistant_turn.py"),
        "wav_stream": (HOUSE_VALUES, HOUSE_FAILURES),
    },
    "bridge/voxcard/assistants/offline": {
        "dialogue": (OFFLINE + "test_conversation.py",),
        "reply": (OFFLINE + "test_conversation.py",),
    },
    "bridge/voxcard/assistants/offline/intents": {
        "catalogue": INTENTS,
        "durations": (OFFLINE + "test_durations.py",),
        "doubt": INTENTS,
        "interpretation": INTENTS,
        "meanings": (OFFLINE + "test_sentence_edges.py", *INTENTS),
        "names": (OFFLINE + "test_names.py", OFFLINE + "test_slot_spans.py"),
        "normalise": (OFFLINE + "test_vocabulary.py", *INTENTS),
        "numbers": (OFFLINE + "test_numbers.py", *INTENTS),
        "slots": (OFFLINE + "test_slot_spans.py", *INTENTS),
        "spacing": (OFFLINE + "test_spacing.py",),
        "units": (OFFLINE + "test_spacing.py", OFFLINE + "test_slot_spans.py"),
        "vocabulary": (OFFLINE + "test_vocabulary.py", *INTENTS),
    },
    "bridge/voxcard/assistants/offline/intents/sentences": {
        "examples": (OFFLINE + "test_sentence_edges.py", *INTENTS),
        "home_sentences": INTENTS,
        "particles": (OFFLINE + "test_particles.py",),
        "sentence_files": INTENTS,
        "sentence_trie": (OFFLINE + "test_sentence_edges.py", *INTENTS),
        "templates": (OFFLINE + "test_sentence_edges.py", *INTENTS),
    },
    "bridge/voxcard/assistants/offline/speech": {
        "endpoint": (OFFLINE + "test_endpoint.py",),
        "near_voice": (OFFLINE + "speech/test_near_voice.py",),
    },
    "bridge/voxcard/assistants/spoken": {
        "markup": SPOKEN,
        "sentences": (SPOKEN_TESTS + "test_sentences.py", *SPOKEN),
        "speech_text": SPOKEN,
        "tokens": SPOKEN,
        "verbalise": SPOKEN,
    },
    "bridge/voxcard/assistants/spoken/english": {
        "amounts": SPOKEN,
        "grammar": SPOKEN,
        "lexicon": SPOKEN,
        "moments": SPOKEN,
        "money": SPOKEN,
        "names": SPOKEN,
        "numbers": SPOKEN,
        "units": SPOKEN,
    },
    "bridge/voxcard/cards/fit": {
        "carousel": (CARDS + "fit/test_carousel.py", *FIT),
        "choices": (CARDS + "fit/test_choices.py", *FIT),
        "contents": (CARDS + "fit/test_contents.py", *FIT),
        "entries": (CARDS + "fit/test_entries.py", *FIT),
        "fit": (CARDS + "fit/test_wire_budget.py", *FIT),
        "flow": (CARDS + "fit/test_flow.py", *FIT),
        "ink": (CARDS + "fit/test_ink.py", CARDS + "test_lines_on_screen.py",
                CARDS + "test_drawer.py"),
        "picture": (*FIT, CARDS + "test_card_images.py"),
        "plan": (CARDS + "fit/test_plan.py", *FIT),
        "qr_code": (CARDS + "test_qr.py",),
        "qr_pages": (CARDS + "fit/test_qr_caption.py", CARDS + "test_qr.py", *FIT),
        "room": (CARDS + "fit/test_room.py", *FIT),
        "strip_batch": (CARDS + "fit/test_strip_batch.py", CARDS + "test_lines_on_screen.py",
                        CARDS + "test_drawer.py"),
        "styles": (CARDS + "fit/test_styles.py",),
    },
    "bridge/voxcard/cards/text": {
        "age": (CARDS + "text/test_age.py",),
        "cells": (CARDS + "text/test_cells.py", *FIT),
        "diagrams": (CARDS + "text/test_diagrams.py",),
        "links": (CARDS + "text/test_links.py", *TEXT),
        "picture_words": TEXT,
        "sanitize": (CARDS + "text/test_source_size.py", CARDS + "text/test_cells.py", *TEXT),
        "scripts": (CARDS + "text/test_scripts.py", *FIT, CARDS + "test_lines_on_screen.py"),
        "speech_twin": (CARDS + "text/test_speech_twin.py", *TEXT),
        "text_twin": (CARDS + "text/test_text_twin.py", *TEXT),
        "twins": (CARDS + "text/test_speech_twin.py", *TEXT),
    },
    "bridge/voxcard/cards/text/data": {
        "foreign_text": (CARDS + "text/test_foreign_text.py", *TEXT),
        "key_values": (CARDS + "text/test_key_values.py", *TEXT),
    },
    "bridge/voxcard/cards/text/markdown": {
        "block_words": MARKDOWN,
        "data_uris": (CARDS + "text/test_data_uris.py", *MARKDOWN),
        "document": MARKDOWN,
        "html": MARKDOWN,
        "inline": MARKDOWN,
        "parser": MARKDOWN,
        "reader": MARKDOWN,
    },
    "bridge/voxcard/cards/read": {
        "call": (*READ, "tests/bridge/cli/test_card_commands.py"),
        "card_file": (*READ, "tests/bridge/cli/test_card_commands.py"),
        "fences": (CARDS + "test_fences.py", *READ),
        "reading": READ,
        "result_sources": READ,
        "slides": READ,
        "untagged": READ,
    },
    "bridge/voxcard/cards/live": {
        "live_card": LIVE,
        "merge_patch": LIVE,
        "run_card": LIVE,
    },
    "bridge/voxcard/history": {"card_json": ("tests/bridge/history/test_store.py",)},
    "bridge/voxcard/web": {"http_protocol": ("tests/bridge/web/test_http_protocol.py", LIMITS)},
}  # fmt: skip

# module -> its own tests
TESTS = {
    f"{folder}/{name}.py": tests
    for folder, modules in FOLDERS.items()
    for name, tests in modules.items()
}
