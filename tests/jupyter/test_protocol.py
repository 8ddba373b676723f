"""What jupyter_kernel_test leaves out, asked by jupyter_client: a client of other hands than ours."""

import contextlib
import os
import queue
import signal
import time
import unittest

import zmq
from jupyter_client.manager import start_new_kernel

PATIENCE = 10  # seconds, for a message that must come
QUIET = 0.2  # seconds, for one that must not


class Kernel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.km, cls.kc = start_new_kernel(kernel_name="eigenbook")

    @classmethod
    def tearDownClass(cls):
        cls.kc.stop_channels()
        cls.km.shutdown_kernel(now=True)

    def setUp(self):
        for channel in ("shell", "iopub", "stdin", "control"):
            with contextlib.suppress(queue.Empty):
                while True:
                    self.receive(channel, timeout=0.02)

    def receive(self, channel, timeout=PATIENCE):
        return getattr(self.kc, f"get_{channel}_msg")(timeout=timeout)

    def send(self, msg_type, content, channel="shell"):
        msg = self.kc.session.msg(msg_type, content)
        getattr(self.kc, channel + "_channel").send(msg)
        return msg["header"]["msg_id"]

    def reply(self, msg_id, channel="shell"):
        msg = self.receive(channel)
        self.assertEqual(msg["parent_header"]["msg_id"], msg_id)
        return msg

    def execute(self, code, **options):
        return self.kc.execute(code, **options)

    def outputs(self, msg_id, until_idle=True):
        """The messages of a request after busy and before idle, as (type, content)."""
        seen = []
        while True:
            msg = self.receive("iopub")
            self.assertEqual(msg["parent_header"]["msg_id"], msg_id, f"{msg['msg_type']} after {seen}")
            content = msg["content"]
            if msg["msg_type"] == "status":
                state = content["execution_state"]
                self.assertEqual(state, "idle" if seen else "busy")
                if state == "idle":
                    return seen[1:]
            seen.append((msg["msg_type"], content))

    def run_cell(self, code, **options):
        msg_id = self.execute(code, **options)
        outputs = self.outputs(msg_id)
        return self.reply(msg_id)["content"], outputs

    def story(self, outputs):
        """What a reader sees, one string an output."""
        story = []
        for msg_type, c in outputs:
            if msg_type == "stream":
                story.append(f"{c['name']}: {c['text']}")
            elif msg_type == "error":
                story.append(f"error: {c['ename']}")
            elif "data" in c:
                story.append(f"{msg_type}: {c['data']['text/plain']}")
            elif msg_type != "execute_input":
                story.append(msg_type)
        return story


class Execute(Kernel):
    def test_order_of_outputs(self):
        code = """
for i := range 3 {
	fmt.Println("out", i)
	fmt.Fprintln(os.Stderr, "err", i)
	display.Show(display.Markdown(fmt.Sprint("shown ", i)))
}
"end"
"""
        _, outputs = self.run_cell(code)
        want = []
        for i in range(3):
            want += [f"stdout: out {i}\n", f"stderr: err {i}\n", f"display_data: shown {i}"]
        self.assertEqual(self.story(outputs), want + ["execute_result: end"])

    def test_values(self):
        for code, want in [
            ("1 + 2", ["execute_result: 3"]),
            ("1 + 2;", []),
            ("1 + 2; // muted", []),
            ("x := 5", []),
            ('func pair() (int, string) { return 7, "seven" }\npair()', ["execute_result: 7, seven"]),
            ('strconv.Atoi("12")', ["execute_result: 12"]),
            ('fmt.Println("printed")', ["stdout: printed\n"]),
            ('errors.New("an error is a value")', ["execute_result: error: an error is a value"]),
        ]:
            with self.subTest(code=code):
                reply, outputs = self.run_cell(code)
                self.assertEqual(reply["status"], "ok")
                self.assertEqual(self.story(outputs), want)

    def test_silent(self):
        before = self.run_cell("1")[0]["execution_count"]
        reply, outputs = self.run_cell('fmt.Println("quiet")\n1', silent=True)
        self.assertEqual((reply["status"], outputs), ("ok", []))
        reply, outputs = self.run_cell("panic(1)", silent=True)
        self.assertEqual((reply["status"], reply["ename"], outputs), ("error", "panic", []))
        self.assertEqual(self.run_cell("1")[0]["execution_count"], before + 1)

    def test_store_history(self):
        before = self.run_cell("1")[0]["execution_count"]
        _, outputs = self.run_cell("2", store_history=False)
        self.assertEqual(self.story(outputs), ["execute_result: 2"])
        self.assertEqual(self.run_cell("3")[0]["execution_count"], before + 1)
        msg_id = self.kc.history(hist_access_type="tail", n=2, raw=True, output=True)
        history = self.reply(msg_id)["content"]["history"]
        self.assertEqual([h[2] for h in history], [["1", "1"], ["3", "3"]])

    def test_user_expressions(self):
        reply, outputs = self.run_cell(
            "n := 6", user_expressions={"good": "n * 7", "rich": "display.Math(`x`)", "bad": "nope", "loud": "fmt.Print(5)"}
        )
        self.assertEqual(self.story(outputs), [])
        answers = reply["user_expressions"]
        self.assertEqual(answers["good"], {"status": "ok", "data": {"text/plain": "42"}, "metadata": {}})
        self.assertIn("text/latex", answers["rich"]["data"])
        self.assertEqual((answers["bad"]["status"], answers["bad"]["ename"]), ("error", "compile error"))
        self.assertEqual(answers["loud"]["status"], "ok")

    def test_error_aborts_what_waits(self):
        first = self.execute('time.Sleep(300*time.Millisecond)\npanic("no")')
        second = self.execute('fmt.Println("second")')
        info = self.kc.kernel_info()
        self.assertEqual(self.story(self.outputs(first)), ["error: panic"])
        self.assertEqual(self.reply(first)["content"]["status"], "error")
        self.assertEqual(self.outputs(second), [])
        self.assertEqual(self.reply(second)["content"]["ename"], "Aborted")
        self.outputs(info)
        self.assertEqual(self.reply(info)["content"]["status"], "ok")
        self.assertEqual(self.story(self.run_cell('fmt.Println("later")')[1]), ["stdout: later\n"])

    def test_error_lets_go_on_if_asked(self):
        first = self.execute('time.Sleep(200*time.Millisecond)\npanic("no")', stop_on_error=False)
        second = self.execute('fmt.Println("second")')
        self.outputs(first)
        self.reply(first)
        self.assertEqual(self.story(self.outputs(second)), ["stdout: second\n"])
        self.reply(second)

    def test_displays_change_in_place(self):
        code = """
import "github.com/janpfeifer/gonb/gonbui"
gonbui.UpdateHTML("the-id", "<b>one</b>")
gonbui.UpdateHTML("the-id", "<b>two</b>")
display.Clear(true)
"""
        _, outputs = self.run_cell(code)
        got = [(t, c.get("transient", {}).get("display_id"), c.get("wait")) for t, c in outputs if t != "execute_input"]
        self.assertEqual(
            got, [("display_data", "the-id", None), ("update_display_data", "the-id", None), ("clear_output", None, True)]
        )


class Input(Kernel):
    def ask(self, code, answers):
        msg_id = self.kc.execute(code, allow_stdin=True)
        for answer in answers:
            question = self.receive("stdin")
            self.assertEqual(question["msg_type"], "input_request")
            self.assertEqual(question["parent_header"]["msg_id"], msg_id)
            self.kc.input(answer)
        outputs = self.outputs(msg_id)
        return self.reply(msg_id)["content"], self.story(outputs)

    def test_scan(self):
        reply, story = self.ask("var a, b int\nfmt.Scan(&a)\nfmt.Scan(&b)\na + b", ["19", "23"])
        self.assertEqual((reply["status"], story), ("ok", ["execute_result: 42"]))

    def test_reader(self):
        code = "in := bufio.NewScanner(os.Stdin)\nin.Scan()\nfmt.Println(strings.ToUpper(in.Text()))"
        reply, story = self.ask(code, ["jahr é"])
        self.assertEqual((reply["status"], story), ("ok", ["stdout: JAHR É\n"]))

    def test_prompt(self):
        code = """
import "github.com/janpfeifer/gonb/gonbui"
word, err := nb.Password("word? ")
gonbui.RequestInput("n? ", false)
var n int
fmt.Scan(&n)
fmt.Println(word, n, err)
"""
        msg_id = self.kc.execute(code, allow_stdin=True)
        for answer, want in (("open", {"prompt": "word? ", "password": True}), ("5", {"prompt": "n? ", "password": False})):
            self.assertEqual(self.receive("stdin")["content"], want)
            self.kc.input(answer)
        self.assertEqual(self.story(self.outputs(msg_id)), ["stdout: open 5 <nil>\n"])
        self.reply(msg_id)

    def test_program(self):
        reply, story = self.ask('!read -p "" name; echo "got $name"', ["Ada"])
        self.assertEqual((reply["status"], story), ("ok", ["stdout: got Ada\n"]))

    def test_refused(self):
        msg_id = self.kc.execute("var a int\n_, err := fmt.Scan(&a)\nerr != nil", allow_stdin=False)
        self.assertEqual(self.story(self.outputs(msg_id)), ["execute_result: true"])
        self.reply(msg_id)
        with self.assertRaises(queue.Empty):
            self.receive("stdin", QUIET)


class Control(Kernel):
    def begin(self, code):
        """Runs a cell until it has printed something."""
        msg_id = self.execute(code)
        while self.receive("iopub")["msg_type"] != "stream":
            pass
        return msg_id

    def finish(self, msg_id):
        reply = self.reply(msg_id)["content"]
        while True:
            msg = self.receive("iopub")
            if msg["parent_header"]["msg_id"] == msg_id and msg["content"].get("execution_state") == "idle":
                return reply

    def test_interrupt_by_message(self):
        self.run_cell("kept := 41")
        msg_id = self.begin('fmt.Println("begun")\nfor {}')
        began = time.monotonic()
        asked = self.send("interrupt_request", {}, "control")
        self.assertEqual(self.reply(asked, "control")["content"], {"status": "ok"})
        self.assertEqual(self.finish(msg_id)["ename"], "interrupted")
        self.assertLess(time.monotonic() - began, 1)
        self.assertEqual(self.story(self.run_cell("kept + 1")[1]), ["execute_result: 42"])

    def test_interrupt_by_signal(self):
        msg_id = self.begin('fmt.Println("begun")\ntime.Sleep(time.Hour)')
        os.kill(self.km.provisioner.pid, signal.SIGINT)
        self.assertEqual(self.finish(msg_id)["ename"], "interrupted")

    def test_interrupt_when_idle(self):
        asked = self.send("interrupt_request", {}, "control")
        self.assertEqual(self.reply(asked, "control")["content"], {"status": "ok"})
        self.outputs(asked)
        self.assertEqual(self.run_cell("1")[0]["status"], "ok")

    def test_control_is_served_while_a_cell_runs(self):
        msg_id = self.begin('fmt.Println("begun")\nfor {}')
        began = time.monotonic()
        info = self.send("kernel_info_request", {}, "control")
        self.assertEqual(self.reply(info, "control")["content"]["implementation"], "eigenbook")
        self.assertLess(time.monotonic() - began, 0.5)
        self.send("interrupt_request", {}, "control")
        self.finish(msg_id)

    def test_debugger(self):
        asked = self.send("debug_request", {"type": "request", "seq": 7, "command": "initialize", "arguments": {}}, "control")
        reply = self.reply(asked, "control")
        self.assertEqual(reply["msg_type"], "debug_reply")
        c = reply["content"]
        self.assertEqual((c["type"], c["request_seq"], c["success"], c["command"]), ("response", 7, False, "initialize"))
        self.outputs(asked)

    def test_unknown_requests(self):
        for channel in ("shell", "control"):
            asked = self.send("no_such_request", {}, channel)
            self.assertEqual(self.outputs(asked), [])
            with self.assertRaises(queue.Empty):
                self.receive(channel, QUIET)
        self.assertEqual(self.run_cell("1")[0]["status"], "ok")


class Names(Kernel):
    def test_positions_count_code_points(self):
        code = '𝛼 := "é"; math.Sqr'
        msg_id = self.kc.complete(code, cursor_pos=len(code))
        reply = self.reply(msg_id)["content"]
        self.assertIn("Sqrt", reply["matches"])
        self.assertEqual((reply["cursor_start"], reply["cursor_end"]), (len(code) - 3, len(code)))
        self.assertEqual(code[: reply["cursor_start"]], '𝛼 := "é"; math.')
        msg_id = self.kc.inspect('𝛼 := "é"; math.Sqrt(2)', cursor_pos=len('𝛼 := "é"; math.Sq'))
        self.assertIn("Sqrt", self.reply(msg_id)["content"]["data"]["text/plain"])

    def test_indentation(self):
        msg_id = self.kc.is_complete("if true {\n\tfor {")
        self.assertEqual(self.reply(msg_id)["content"], {"status": "incomplete", "indent": "\t\t"})


class Comms(Kernel):
    def test_unknown_target_is_refused(self):
        asked = self.send("comm_open", {"comm_id": "c1", "target_name": "jupyter.widget", "data": {}})
        closed = [c["comm_id"] for t, c in self.outputs(asked) if t == "comm_close"]
        self.assertEqual(closed, ["c1"])
        for msg_type in ("comm_msg", "comm_close"):
            self.assertEqual(self.outputs(self.send(msg_type, {"comm_id": "c1", "data": {}})), [])
        msg_id = self.kc.comm_info()
        self.assertEqual(self.reply(msg_id)["content"], {"status": "ok", "comms": {}})


    def test_target_of_a_cell(self):
        self.run_cell(
            """
nb.OnComm("doubler", func(c *nb.Comm, data any) {
	c.OnMessage(func(data any) { c.Send(2 * data.(float64)) })
})
"""
        )
        self.assertEqual(self.outputs(self.send("comm_open", {"comm_id": "c2", "target_name": "doubler", "data": {}})), [])
        msg_id = self.kc.comm_info("doubler")
        self.assertEqual(self.reply(msg_id)["content"]["comms"], {"c2": {"target_name": "doubler"}})
        self.outputs(msg_id)
        answer = self.outputs(self.send("comm_msg", {"comm_id": "c2", "data": 21}))
        self.assertEqual(answer, [("comm_msg", {"comm_id": "c2", "data": 42})])
        self.assertEqual(self.outputs(self.send("comm_close", {"comm_id": "c2", "data": {}})), [])


class Sockets(Kernel):
    def test_welcome(self):
        client = self.km.client()
        client.start_channels()
        try:
            msg = client.get_iopub_msg(timeout=PATIENCE)
            self.assertEqual((msg["msg_type"], msg["content"]), ("iopub_welcome", {"subscription": ""}))
            self.assertEqual(msg["parent_header"], {})
        finally:
            client.stop_channels()

    def test_wrong_signature(self):
        socket = zmq.Context.instance().socket(zmq.DEALER)
        socket.linger = 0
        socket.connect(f"tcp://{self.km.ip}:{self.km.shell_port}")
        try:
            for frames in ([b"garbage"], [b"<IDS|MSG>", b"0" * 64, b"{}", b"{}", b"{}", b"{}"], [b""] * 9):
                socket.send_multipart(frames)
            self.assertEqual(socket.poll(QUIET * 1000), 0, "a forged request was answered")
        finally:
            socket.close()
        self.assertEqual(self.run_cell("1")[0]["status"], "ok")

    def test_replay(self):
        msg = self.kc.session.msg("execute_request", {"code": 'fmt.Println("once")', "silent": False})
        frames = self.kc.session.serialize(msg)
        self.kc.shell_channel.socket.send_multipart(frames)
        self.assertEqual(self.story(self.outputs(msg["header"]["msg_id"])), ["stdout: once\n"])
        self.reply(msg["header"]["msg_id"])
        self.kc.shell_channel.socket.send_multipart(frames)
        with self.assertRaises(queue.Empty):
            self.receive("iopub", QUIET)

    def test_heartbeat(self):
        self.kc.hb_channel.unpause()
        time.sleep(1.5)
        self.assertTrue(self.kc.hb_channel.is_beating())


class Faults(Kernel):
    def test_the_kernel_outlives_its_cells(self):
        self.run_cell("func double(x int) int { return 2 * x }\nlost := 5")
        for code in ("os.Exit(3)", "func deep(n int) int { return deep(n+1) + n }\ndeep(0)", "go func() { panic(1) }()\ntime.Sleep(time.Second)",
                     "!kill -9 $PPID"):
            with self.subTest(code=code):
                reply, outputs = self.run_cell(code)
                self.assertEqual(reply["status"], "error")
                self.assertEqual([t for t, _ in outputs if t == "error"], ["error"])
                self.assertEqual(self.story(self.run_cell("double(21)")[1]), ["execute_result: 42"])


class Shutdown(unittest.TestCase):
    def test_restart_and_shutdown(self):
        km, kc = start_new_kernel(kernel_name="eigenbook")
        try:
            kc.execute_interactive("before := 1", output_hook=lambda _: None, timeout=PATIENCE)
            pid = km.provisioner.pid
            km.restart_kernel()
            kc.wait_for_ready(timeout=PATIENCE)
            self.assertNotEqual(km.provisioner.pid, pid)
            reply = kc.execute_interactive("before", output_hook=lambda _: None, timeout=PATIENCE)
            self.assertEqual((reply["content"]["ename"], reply["content"]["execution_count"]), ("compile error", 1))
            msg = kc.session.msg("shutdown_request", {"restart": False})
            kc.control_channel.send(msg)
            answer = kc.get_control_msg(timeout=PATIENCE)
            self.assertEqual((answer["msg_type"], answer["content"]), ("shutdown_reply", {"status": "ok", "restart": False}))
            end = time.monotonic() + PATIENCE
            while km.is_alive() and time.monotonic() < end:
                time.sleep(0.02)
            self.assertFalse(km.is_alive())
        finally:
            kc.stop_channels()
            if km.is_alive():
                km.shutdown_kernel(now=True)


# The loader would take the base class for a case of its own.
def load_tests(loader, tests, pattern):
    cases = (Execute, Input, Control, Names, Comms, Sockets, Faults, Shutdown)
    return unittest.TestSuite(loader.loadTestsFromTestCase(c) for c in cases)
