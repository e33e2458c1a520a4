"""JSON-RPC over the tools: answers, codes, scopes, calls that go on, and ones that fail."""

from toolbox import registry
from toolbox.registry import Content, ToolError, integer, progress
from toolbox.rpc import Rpc


class Task:
    """A coroutine that the test moves on; cancelled is what a task does with it."""

    def __init__(self, coroutine):
        self.coroutine = coroutine
        self.cancelled = False

    def cancel(self):
        self.cancelled = True
        self.coroutine.close()

    def run(self):
        """Move it to its next wait; True when it ended."""
        try:
            self.coroutine.send(None)
        except StopIteration:
            return True
        return False


class Pause:
    """Awaiting it hands control back to the test once."""

    def __await__(self):
        yield None

    __iter__ = __await__


class Peer:
    def __init__(self, confirm=None):
        self.tools = registry.Registry()
        self.sent = []
        self.tasks = []
        self.faults = []
        self.rpc = Rpc(
            self.tools,
            {"name": "test", "version": "1"},
            send=self.sent.append,
            spawn=self.spawn,
            limit=self.limit,
            confirm=confirm,
            fault=lambda name, error: self.faults.append((name, str(error))),
        )

    async def limit(self, coroutine):
        return await coroutine

    def spawn(self, coroutine):
        self.tasks.append(Task(coroutine))
        return self.tasks[-1]

    def call(self, name, arguments=None, scope=None, call_id=1, token=None):
        params = {"name": name}
        meta = {}
        if arguments is not None:
            params["arguments"] = arguments
        if scope is not None:
            meta["voxcard/scope"] = scope
        if token is not None:
            meta["progressToken"] = token
        if meta:
            params["_meta"] = meta
        return self.ask("tools/call", params, call_id)

    def ask(self, method, params=None, call_id=1):
        payload = {"jsonrpc": "2.0", "id": call_id, "method": method}
        if params is not None:
            payload["params"] = params
        return self.rpc.handle(payload)


def error_of(response):
    assert "result" not in response
    return (response["id"], response["error"]["code"], response["error"]["message"])


def text_of(response):
    result = response["result"]
    return result["content"][0]["text"], result["isError"]


def test_initialize_says_who_answers_and_in_which_version():
    assert Peer().ask("initialize", {"protocolVersion": "2024-11-05"}) == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "protocolVersion": "2024-11-05",
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": "test", "version": "1"},
        },
    }
    newest = Peer().ask("initialize", {"protocolVersion": "2099-01-01"})
    assert newest["result"]["protocolVersion"] == "2025-06-18"


def test_ids_may_be_numbers_or_text():
    assert Peer().ask("ping", call_id=7) == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert Peer().ask("ping", call_id="a-1") == {"jsonrpc": "2.0", "id": "a-1", "result": {}}


def test_each_kind_of_bad_request_has_its_own_code():
    rpc = Peer().rpc
    assert error_of(rpc.handle("{")) == (None, -32700, "This is not JSON.")
    assert error_of(rpc.handle(b"\xff\xfe"))[1] == -32700
    assert error_of(rpc.handle([]))[:2] == (None, -32600)
    assert error_of(rpc.handle({"id": 4, "method": "ping"}))[:2] == (4, -32600)
    assert error_of(rpc.handle({"jsonrpc": "2.0", "id": 4}))[:2] == (4, -32600)
    for wrong in (True, [4], {}, 1.5):
        for more in ({"method": "ping"}, {"result": 7}):
            refused = rpc.handle(dict({"jsonrpc": "2.0", "id": wrong}, **more))
            assert error_of(refused)[:2] == (None, -32600)
    assert error_of(rpc.handle({"jsonrpc": "2.0", "id": 4, "result": 7}))[:2] == (4, -32600)
    assert error_of(rpc.handle({"jsonrpc": "2.0", "id": 4, "method": 5}))[:2] == (4, -32600)
    bad_params = {"jsonrpc": "2.0", "id": 4, "method": "ping", "params": [1]}
    assert error_of(rpc.handle(bad_params))[:2] == (4, -32602)
    unknown = {"jsonrpc": "2.0", "id": 4, "method": "tools/fly"}
    assert error_of(rpc.handle(unknown)) == (4, -32601, "There is no method tools/fly.")
    unknown["method"] = "x" * 41
    assert error_of(rpc.handle(unknown))[2] == "There is no method %s." % ("x" * 40)
    assert Peer().ask("ping", call_id="x" * 64)["id"] == "x" * 64
    long_id = {"jsonrpc": "2.0", "id": "x" * 65, "method": "ping"}
    assert error_of(rpc.handle(long_id))[:2] == (None, -32600)


def test_responses_and_unknown_notifications_are_not_answered():
    rpc = Peer().rpc
    assert rpc.handle({"jsonrpc": "2.0", "id": 4, "result": {}}) is None
    assert rpc.handle({"jsonrpc": "2.0", "id": None, "error": {"code": 1}}) is None
    assert rpc.handle({"jsonrpc": "2.0", "method": "notifications/initialized"}) is None
    cancel = {"requestId": [1]}
    assert (
        rpc.handle({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel})
        is None
    )


def volume_peer(**options):
    peer = Peer(**options)
    peer.got = []

    @peer.tools.tool("self.set_volume", "Set it.", volume=integer(0, 100))
    def set_volume(volume):
        peer.got.append(volume)

    return peer


def test_a_call_runs_the_tool_with_checked_arguments():
    peer = volume_peer()
    assert peer.call("self.set_volume", {"volume": 60}) == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"content": [{"type": "text", "text": "true"}], "isError": False},
    }
    assert peer.got == [60]


def test_arguments_out_of_range_are_refused_and_change_nothing():
    peer = volume_peer()
    assert error_of(peer.call("self.set_volume", {"volume": 160}, call_id="q")) == (
        "q",
        -32602,
        "volume must be a whole number from 0 to 100.",
    )
    assert error_of(peer.call("self.set_volume", {"volume": 5, "now": 1}))[1] == -32602
    assert error_of(peer.call("self.set_volume"))[1] == -32602
    assert error_of(peer.call("self.nothing")) == (1, -32602, "There is no tool self.nothing.")
    assert error_of(peer.call("x" * 81))[2] == "There is no tool %s." % ("x" * 80)
    assert error_of(peer.ask("tools/call", {"name": 5}))[1] == -32602
    assert error_of(peer.ask("tools/call", {"name": "self.set_volume", "arguments": [5]})) == (
        1,
        -32602,
        "params.arguments must be an object.",
    )
    assert peer.got == []


def test_the_result_of_a_tool_becomes_content():
    peer = Peer()
    for name, value in (
        ("text", "It is done."),
        ("true", True),
        ("number", 5),
        ("object", {"a": 1}),
        ("blocks", Content([{"type": "text", "text": "hi"}], {"b": 2})),
    ):
        peer.tools.tool(name, "")(lambda value=value: value)
    assert text_of(peer.call("text")) == ("It is done.", False)
    assert text_of(peer.call("true")) == ("true", False)
    assert text_of(peer.call("number")) == ("5", False)
    assert peer.call("object")["result"]["structuredContent"] == {"a": 1}
    assert peer.call("blocks")["result"] == {
        "content": [{"type": "text", "text": "hi"}],
        "isError": False,
        "structuredContent": {"b": 2},
    }


def test_a_tools_own_failure_is_a_result_that_says_what_to_do():
    peer = Peer()

    @peer.tools.tool("self.camera", "")
    def camera():
        raise ToolError("The lens is covered. Open it.")

    assert text_of(peer.call("self.camera")) == ("The lens is covered. Open it.", True)
    assert peer.faults == []


def test_a_bad_tool_is_a_failed_result_and_is_reported():
    peer = Peer()
    peer.tools.tool("bad", "")(lambda: {}["x"])
    text, is_error = text_of(peer.call("bad"))
    assert is_error
    assert text == (
        "bad could not be done: a fault of the device. Try again, or look at the device's log."
    )
    assert peer.faults[0][0] == "bad"


def test_a_result_too_long_for_a_message_is_a_failure():
    peer = Peer()
    peer.tools.tool("longest", "")(lambda: "x" * 7845)
    assert text_of(peer.call("longest")) == ("x" * 7845, False)
    peer.tools.tool("longer", "")(lambda: "x" * 7846)
    assert text_of(peer.call("longer"))[0].startswith("The result of longer is 7901 bytes")
    peer.tools.tool("long", "")(lambda: "x" * 9000)
    assert text_of(peer.call("long")) == (
        "The result of long is 9055 bytes, too long to send (7900). Ask for less.",
        True,
    )


def scoped_peer(confirm=None):
    peer = Peer(confirm)
    for scope in ("ai", "user", "admin"):
        peer.tools.tool("self." + scope, "", scope=scope, ask="Sure?")(lambda: "ran")
    return peer


def test_a_scope_reaches_its_own_tools_and_those_before_it():
    rows = {"ai": ("ai",), "user": ("ai", "user"), "admin": ("ai", "user", "admin"), None: ("ai",)}
    for scope, reached in rows.items():
        for tool in ("ai", "user", "admin"):
            response = scoped_peer().call("self." + tool, scope=scope)
            if tool in reached:
                assert text_of(response) == ("ran", False)
            else:
                assert error_of(response) == (
                    1,
                    -32001,
                    "self.%s needs the scope %s; this call has %s." % (tool, tool, scope or "ai"),
                )


def test_a_scope_that_does_not_exist_is_refused():
    assert error_of(scoped_peer().call("self.ai", scope="root")) == (
        1,
        -32602,
        "The scope must be one of ai, user, admin.",
    )
    assert error_of(scoped_peer().call("self.ai", scope=["admin"]))[1] == -32602


def test_a_user_runs_an_admin_tool_only_when_somebody_at_the_device_allows_it():
    asked = []

    def answering(answer):
        async def confirm(question):
            asked.append(question)
            return answer

        return confirm

    peer = scoped_peer(answering(True))
    assert peer.call("self.admin", scope="user") is None
    assert peer.tasks[0].run()
    assert text_of(peer.sent[0]) == ("ran", False)
    peer = scoped_peer(answering(False))
    assert peer.call("self.admin", scope="user") is None
    assert peer.tasks[0].run()
    assert error_of(peer.sent[0]) == (1, -32001, "Nobody allowed it on the device.")
    assert asked == ["Sure?", "Sure?"]
    peer = Peer(answering(True))
    peer.tools.tool("self.restart", "", scope="admin")(lambda: "ran")
    assert peer.call("self.restart", scope="user") is None and peer.tasks[0].run()
    assert asked[2:] == ["Allow self.restart?"]


def test_the_assistant_cannot_make_the_device_ask():
    async def confirm(question):
        raise AssertionError("was asked")

    assert error_of(scoped_peer(confirm).call("self.admin", scope="ai"))[1] == -32001


def test_bad_arguments_are_refused_before_a_person_is_asked():
    async def confirm(question):
        raise AssertionError("was asked")

    assert error_of(scoped_peer(confirm).call("self.admin", {"x": 1}, scope="user"))[1] == -32602


def slow_peer():
    peer = Peer()
    peer.ended = []

    @peer.tools.tool("slow", "", report=progress())
    async def slow(report):
        report(1, 2, "half")
        try:
            await Pause()
        finally:
            peer.ended.append("ended")
        return "done"

    return peer


def test_an_async_tool_answers_when_it_is_done_and_others_run_meanwhile():
    peer = slow_peer()
    assert peer.call("slow", call_id="s") is None
    assert not peer.tasks[0].run()
    assert peer.ask("ping", call_id=2)["result"] == {}
    assert peer.sent == []
    assert peer.tasks[0].run()
    assert peer.sent[0]["id"] == "s" and text_of(peer.sent[0]) == ("done", False)


def test_progress_goes_to_those_who_gave_a_token():
    peer = slow_peer()
    peer.call("slow", token="t1")
    peer.tasks[0].run()
    assert peer.sent == [
        {
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {"progressToken": "t1", "progress": 1, "total": 2, "message": "half"},
        }
    ]
    quiet = slow_peer()
    quiet.call("slow")
    quiet.tasks[0].run()
    assert quiet.sent == []


def cancel(peer, call_id):
    params = {"requestId": call_id}
    return peer.rpc.handle(
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    )


def test_a_cancelled_call_stops_and_is_not_answered():
    peer = slow_peer()
    peer.call("slow", call_id=9)
    peer.tasks[0].run()
    assert cancel(peer, 8) is None and not peer.tasks[0].cancelled
    for method in ("notifications/a", "notifications/progress"):
        other = {"jsonrpc": "2.0", "method": method, "params": {"requestId": 9}}
        assert peer.rpc.handle(other) is None and not peer.tasks[0].cancelled
    assert cancel(peer, 9) is None and peer.tasks[0].cancelled
    assert peer.ended == ["ended"] and peer.sent == []
    assert cancel(peer, 9) is None


def test_a_reset_cancels_every_call():
    peer = slow_peer()
    for call_id in (1, 2):
        peer.call("slow", call_id=call_id)
        peer.tasks[-1].run()
    peer.rpc.reset()
    assert [task.cancelled for task in peer.tasks] == [True, True]
    assert peer.sent == []


def test_calls_at_a_time_are_bounded_and_a_running_id_is_taken():
    peer = slow_peer()
    for call_id in range(4):
        assert peer.call("slow", call_id=call_id) is None
        peer.tasks[-1].run()
    assert text_of(peer.call("slow", call_id=4)) == (
        "The device is busy. Try again in a moment.",
        True,
    )
    assert error_of(peer.call("slow", call_id=3))[:2] == (3, -32600)
    assert peer.tasks[0].run()
    assert peer.call("slow", call_id=5) is None
    peer.tasks[-1].run()


def test_nobody_is_asked_while_the_device_is_busy():
    async def confirm(question):
        raise AssertionError("was asked")

    peer = scoped_peer(confirm)

    @peer.tools.tool("slow", "")
    async def slow():
        await Pause()

    for call_id in range(4):
        assert peer.call("slow", call_id=call_id) is None
        peer.tasks[-1].run()
    assert text_of(peer.call("self.admin", scope="user", call_id=4)) == (
        "The device is busy. Try again in a moment.",
        True,
    )


def test_a_failing_async_tool_is_a_failed_result():
    peer = Peer()

    @peer.tools.tool("bad", "")
    async def bad():
        raise ToolError("No picture. Try again.")

    assert peer.call("bad") is None
    assert peer.tasks[0].run()
    assert text_of(peer.sent[0]) == ("No picture. Try again.", True)


def test_tools_list_pages_follow_their_cursor():
    peer = volume_peer()
    assert len(peer.ask("tools/list", {"cursor": ""})["result"]["tools"]) == 1
    assert error_of(peer.ask("tools/list", {"cursor": "x"}))[1] == -32602
    assert error_of(peer.ask("tools/list", {"cursor": 5}))[1] == -32602


def test_hidden_tools_need_with_user_tools():
    peer = scoped_peer()
    listed = peer.ask("tools/list")["result"]["tools"]
    assert [entry["name"] for entry in listed] == ["self.ai"]
    listed, cursor = [], ""
    while cursor is not None:
        asked = {"withUserTools": True, "cursor": cursor}
        page = peer.ask("tools/list", asked)["result"]
        listed += page["tools"]
        cursor = page.get("nextCursor")
    assert [entry["name"] for entry in listed] == ["self.ai", "self.user", "self.admin"]
    assert listed[1]["annotations"] == {"audience": ["user"]}
