"""An embeddings server on loopback that misbehaves as a test tells it to."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIMENSIONS = 4


def vector(text):
    """A vector that tells texts apart, longer than 1 on purpose."""
    return [3.0, float(len(text)), float(sum(map(ord, text)) % 97), 1.0]


class Server:
    """Answers requests in turn with the given behaviours, then with good answers.

    A behaviour is `(status, headers)` or one of the names below; `refuse` is a text that makes
    every request that holds it fail with that status.
    """

    def __init__(self, url):
        self.url = url
        self.behaviours = []
        self.refuse = {}
        self.requests = []
        self.headers = []
        self.lock = threading.Lock()

    def next_behaviour(self, body, headers):
        with self.lock:
            self.requests.append(body)
            self.headers.append(headers)
            for text, status in self.refuse.items():
                if text in body["input"]:
                    return status, {}
            return self.behaviours.pop(0) if self.behaviours else "good"


def answer(texts, behaviour):
    data = [
        {"object": "embedding", "index": i, "embedding": vector(t)} for i, t in enumerate(texts)
    ]
    if behaviour == "shuffled":
        data = data[::-1]
    elif behaviour == "one_missing":
        data = data[:-1]
    elif behaviour == "wrong_length":
        data[0]["embedding"] = data[0]["embedding"][:-1]
    elif behaviour == "no_number":
        data[0]["embedding"] = [float("nan")] * DIMENSIONS
    return {"data": data, "usage": {"total_tokens": 1}}


@contextmanager
def hostile_server():
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            behaviour = state.next_behaviour(body, dict(self.headers))
            if behaviour == "dropped":
                self.close_connection = True
                self.connection.close()
                return
            if behaviour == "silent":
                released.wait(20)
                self.close_connection = True
                return
            status, headers = behaviour if isinstance(behaviour, tuple) else (200, {})
            if behaviour == "no_json":
                content = b"<html>busy</html>"
            elif status == 200:
                content = json.dumps(answer(body["input"], behaviour)).encode()
            else:
                content = f"key was {self.headers['Authorization']}".encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_):
            # Clients that give up and connections that are dropped are the point.
            pass

    released = threading.Event()
    httpd = Quiet(("127.0.0.1", 0), Handler)
    state = Server(f"http://127.0.0.1:{httpd.server_port}/v1")
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        released.set()
        httpd.shutdown()
        httpd.server_close()
        thread.join()
