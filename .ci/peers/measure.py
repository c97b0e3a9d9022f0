#!/usr/bin/env python3
"""Runs each tool against each service, and prints what came out as Markdown.

measure.py measure FOLDER EVERY    measures what FOLDER does not hold yet, into runs.jsonl;
                                   JOBS tools at a time
measure.py print FOLDER            prints the tables

FOLDER holds what `run` installed. See README.md for the rules.
"""
import collections
import concurrent.futures
import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent.resolve()
ROOT = HERE.parent.parent
LIMIT, CANARY = 120, "canary-5d81c07e4b"
DOCUMENTS = {"plants": ROOT / "spec/openapi.yaml", "books": ROOT / "suites/internal/services/books/openapi.yaml"}
TOKENS = {"plants": CANARY, "books": "books-key-7f3a9c21"}
HEADERS = {"plants": ("Authorization", "Bearer "), "books": ("X-Shop-Key", "")}
Tool = collections.namedtuple("Tool", "version files lines command failures fails", defaults=((1,),))


def lines_with(pattern):
    return lambda text: re.findall(pattern, text, re.M)


def schemathesis_failures(text):
    kinds, operation = [], ""
    for line in text.split("= SUMMARY")[0].splitlines():
        if heading := re.match(r"_+ (.+?) _+$", line):
            operation = heading[1]
        elif re.match(r"- \S|Network Error|\[\d+\] ", line):
            kinds.append(f"{operation} {line}" if line[0] != "[" else f"{kinds[-1] if kinds else ''} {line}")
    return kinds or re.findall(r"❌ .*", text)


def redocly_failures(text):
    kinds, workflow = [], ""
    for line in text.splitlines():
        if running := re.search(r"Running workflow (\S+ / \S+|\S+)", line):
            workflow = running[1]
        elif found := re.search(r"✗ (.*)", line):
            kinds.append(f"{workflow} {found[1]}")
        elif found := re.search(r"👈🏽 +(.*)", line):
            kinds.append(f"{workflow} {found[1]}")
    return kinds


def specmatic_failures(text):
    kinds, scenario, place = [], "", ""
    for line in text.partition("Unsuccessful Scenarios:")[2].splitlines():
        if title := re.match(r' +"(.ve) +Scenario: (.*?) with (.*)', line):
            changed = re.search(r"the key \S+ is mutated from \S+ to \S+|mandatory \S+ .*? missing", title[3])
            scenario = f"{title[1]} {title[2]} {changed[0] if changed else ''}"
        elif at := re.match(r" +>> (.*)", line):
            place = re.sub(r"\d+", "N", at[1])
        elif rule := re.match(r" +(R\d+: .*)|.*(status \d+ but response contained .*|Expected \S+ status, but received \d+|timed out.*|Connect.*|.*xception.*)", line):
            kinds.append(f"{scenario} {place} {rule[1] or rule[2]}")
    return kinds


def portman_failures(text):
    kinds, name = [f"schema: {found}" for found in re.findall(r"data\S* should [^,\n]*", text)], ""
    for line in text.splitlines():
        if line.startswith("↳"):
            name = line
        elif found := re.match(r" +\d+\. +(\[.*|[A-Z]\w*Error.*)|\s+(?:POST|GET|PUT|PATCH|DELETE) .*\[(errored)\]", line):
            kinds.append(f"{name} {found[1] or found[2]}")
    return kinds


def command_of(tool):
    """Returns a function of service, URL, document and FOLDER that returns the arguments and the environment."""
    def command(service, url, document, folder):
        token, (header, prefix) = TOKENS[service], HEADERS[service]
        node, python = f"{folder}/node_modules/.bin/", f"{folder}/venv/bin/"
        scheme = {"plants": "bearerAuth", "books": "shopKey"}[service]
        driver = [python + "python", HERE / "driver/driver.py", tool, service, document, url, header, prefix]
        return {
            "conformance": ([f"{folder}/conformance", "run", "--base-url", url] + ([] if service == "plants" else ["--spec", document]),
                            {"CONFORMANCE_TOKEN": token}),
            "conformance --strict": ([f"{folder}/conformance", "run", "--strict", "--base-url", url]
                                     + ([] if service == "plants" else ["--spec", document]), {"CONFORMANCE_TOKEN": token}),
            "Schemathesis": ([python + "schemathesis", "--config-file", "config.toml", "run", document, "--url", url], {"TOKEN": token}),
            "Specmatic": (["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", f"{folder}/node_modules/specmatic/specmatic.jar", "test", f"--testBaseURL={url}"], {scheme: token}),
            "Portman": ([node + "portman", "-l", document, "-b", url, "-c", "portman.json", "--runNewman", "true",
                         "--newmanRunOptions", '{"abortOnFailure":false}'], {}),
            "Redocly Respect": ([node + "redocly", "respect", "arazzo.yaml", "-S", f"contract={url}", "--input", f"{scheme}={token}"],
                                {"REDOCLY_TELEMETRY": "off"}),
            "Dredd": ([node + "dredd", document, url, "--header", f"{header}: {prefix}{token}", "--no-color"], {}),
            "Step CI": ([node + "stepci", "run", "stepci.yaml", "-e", f"host={url}", "-s", f"token={token}"], {"STEPCI_DISABLE_ANALYTICS": "1"}),
            "Prism": (driver, {"TOKEN": token, "PRISM": node + "prism"}),
            "openapi-core": (driver, {"TOKEN": token}),
        }[{"prism": "Prism"}.get(tool, tool)]
    return command


def tools():
    node = json.loads((HERE / "package.json").read_text())["devDependencies"]
    python = dict(line.split("==") for line in (HERE / "requirements.txt").read_text().split())
    driver = ["driver/driver.py", "driver/requests.json"]
    return {
        "conformance": Tool("this commit", {}, 1, command_of("conformance"), lines_with(r"^✗ (\S+ .*)$")),
        "conformance --strict": Tool("this commit", {}, 1, command_of("conformance --strict"), lines_with(r"^✗ (\S+ .*)$")),
        "Schemathesis": Tool(python["schemathesis"], {"schemathesis/SERVICE.toml": "config.toml", "schemathesis/hooks.py": "hooks.py"}, 1,
                             command_of("Schemathesis"), schemathesis_failures),
        "Specmatic": Tool(node["specmatic"], {"specmatic/SERVICE.yaml": "specmatic.yaml", "DOCUMENT": "openapi.yaml"}, 1,
                          command_of("Specmatic"), specmatic_failures),
        "Portman": Tool(node["@apideck/portman"], {"portman/SERVICE.json": "portman.json"}, 1, command_of("Portman"), portman_failures, (0, 1)),
        "Redocly Respect": Tool(node["@redocly/cli"], {"FOLDER/SERVICE/arazzo.yaml": "arazzo.yaml", "DOCUMENT": "openapi.yaml"}, 2,
                                command_of("Redocly Respect"), redocly_failures),
        "Dredd": Tool(node["dredd"], {}, 1, command_of("Dredd"), lines_with(r"^(?:fail|error): (.*?)(?: duration.*)?$")),
        "Step CI": Tool(node["stepci"], {"FOLDER/SERVICE/stepci.yaml": "stepci.yaml"}, 5, command_of("Step CI"),
                        lines_with(r"(✕ .*?) (?:failed|errored)"), (1, 2, 3, 4, 5)),
        "Prism": Tool(node["@stoplight/prism-cli"], dict.fromkeys(driver), 1, command_of("prism"), lines_with(r"^(\d+ .*)$")),
        "openapi-core": Tool(python["openapi-core"], dict.fromkeys(driver), 1, command_of("openapi-core"), lines_with(r"^(\d+ .*)$")),
    }


def set_up(tool, service):
    """Returns how many lines a user writes: commands and files that are not generated."""
    total = tool.lines
    for source in tool.files:
        path = HERE / source.replace("SERVICE", service)
        if source.startswith("driver/requests"):
            total += len(json.loads(path.read_text())[service])
        elif path.is_file() and not (service == "books" and source.endswith("hooks.py")):
            total += sum(1 for line in path.read_text().splitlines() if line.strip())
    return total


def run_tool(tool, service, url, folder, keep):
    """Runs a tool once, in an empty folder. Returns what can be seen from outside."""
    with tempfile.TemporaryDirectory() as work:
        for source, name in tool.files.items():
            if name:
                document = {"DOCUMENT": DOCUMENTS[service]}.get(source)
                path = document or pathlib.Path(str(source).replace("FOLDER", str(folder)).replace("SERVICE", service))
                text = (HERE / path).read_text()
                (pathlib.Path(work) / name).write_text(text.replace('"TOKEN"', json.dumps(TOKENS[service])))
        given = {path: path.read_bytes() for path in pathlib.Path(work).iterdir()}
        arguments, extra = tool.command(service, url, DOCUMENTS[service], folder)
        with open(f"{work}/.output", "wb") as output:
            started = time.monotonic()
            child = subprocess.Popen([str(a) for a in arguments], cwd=work, env={**os.environ, **extra}, stdin=subprocess.DEVNULL,
                                     stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            late = []
            timer = threading.Timer(LIMIT, lambda: (late.append(1), os.killpg(child.pid, signal.SIGKILL)))
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            timer.cancel()
            seconds = time.monotonic() - started
            child.returncode = 0
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
        written = [p for p in pathlib.Path(work).rglob("*") if p.is_file() and "node_modules" not in p.parts and given.get(p) != p.read_bytes()]
        leaks = sorted(p.name for p in written if CANARY.encode() in p.read_bytes())
        text = (pathlib.Path(work) / ".output").read_text(errors="replace")
        keep.write_text(re.sub(r"\x1b\[[0-9;]*m", "", text).replace(url, "URL"))
    return {"exit": "late" if late else os.waitstatus_to_exitcode(status), "output": keep.name,
            "seconds": round(seconds, 2), "cpu": round(usage.ru_utime + usage.ru_stime, 2), "mb": usage.ru_maxrss // 1024, "leaks": leaks}


def failures(tool, run, folder):
    """Returns the kinds of failure that a run reports: none if the tool did not run or did not end."""
    if run["exit"] not in tool.fails:
        return set()
    text = (folder / "output" / run["output"]).read_text()
    if "Traceback (most recent call last)" in text:
        return set()  # the driver ended, not its validator
    kinds = {re.sub(r"\b[0-9]{9,}\b", "N", kind) for kind in tool.failures(text)}
    return kinds or ({f"exit {run['exit']}"} if run["exit"] else set())


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def served(service, kind, name, folder):
    """Serves plants or books, and yields the URL and a function that counts requests."""
    port = free_port()
    program = [f"{folder}/reference", "--log", "json"] if service == "plants" else [f"{folder}/bookshop"]
    choice = [] if kind == "faithful" else [f"--{kind}", name]
    with tempfile.TemporaryFile("w+b") as log:
        server = subprocess.Popen([*program, "--listen", f"127.0.0.1:{port}", *choice], stdout=log, stderr=subprocess.DEVNULL,
                                  env={**os.environ, "REFERENCE_TOKENS": CANARY})
        for _ in range(100):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(0.05)

        def count():
            time.sleep(0.05)
            log.seek(0)
            return sum(1 for line in log if b'"method"' in line or b" /" in line and service == "books")
        try:
            yield f"http://127.0.0.1:{port}", count
        finally:
            server.kill()
            server.wait()


def odd_target(kind, listener):
    """Serves connections that never answer, answer without an end, or show the token."""
    def serve(connection):
        with contextlib.suppress(OSError), connection:
            data = b""
            while b"\r\n\r\n" not in data:
                part = connection.recv(65536)
                if not part:
                    return
                data += part
            if kind == "hanging":
                time.sleep(2 * LIMIT)
            elif kind == "endless":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"name\":\"")
                while True:
                    with pace:
                        connection.sendall(b"a" * 65536)
                        time.sleep(0.003)
            else:
                body = json.dumps({"name": 7, "tag": "the token is " + CANARY}).encode()
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nX-Token: "
                                   + CANARY.encode() + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    pace = threading.Lock()
    with contextlib.suppress(OSError):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()


def targets(folder, every):
    """Lists the faithful services and the odd targets, then a sample of the others.

    The order of the sample is drawn once, with a fixed seed. So a small sample is the first
    part of a larger one, and what an interrupted run has measured is a fair sample too.
    """
    plants = json.loads(subprocess.check_output([f"{folder}/reference", "--list", "--json"]))
    rows = {("plants", k): [r for r in plants if r["kind"] == k and not r["name"].startswith(("tls", "http-2"))] for k in ("deviation", "variation")}
    listed = [line.split(" ", 2) for line in subprocess.check_output([f"{folder}/bookshop", "--list"], text=True).splitlines()]
    rows.update({("books", k): [{"name": n, "clauses": [1]} for kind, n, _ in listed if kind == k] for k in ("deviation", "variation")})
    for service in ("plants", "books"):
        yield service, "faithful", "", "must"
        yield service, "faithful", "again", "must"
        yield service, "faithful", "third", "must"
    yield "plants", "canary", "", "must"
    for kind in ("hanging", "endless"):
        yield "plants", kind, "", "must"
    for listed in rows.values():
        random.Random(15).shuffle(listed)
    samples = [[(*key, row) for row in listed[:-(-len(listed) // every)]] for key, listed in rows.items()]
    for turn in itertools.zip_longest(*samples):
        for service, kind, row in filter(None, turn):
            yield service, kind, row["name"], "must" if row["clauses"] else "should"


def measure(folder, every):
    store, raw, writing = folder / "runs.jsonl", folder / "output", threading.Lock()
    raw.mkdir(exist_ok=True)
    before = runs(folder) if store.exists() else []
    done = {tuple(r[k] for k in ("tool", "service", "kind", "name")) for r in before}
    unable = {(r["tool"], r["service"]) for r in before if r["kind"] == "faithful" and not r["requests"]}

    def measure_one(service, kind, name, level, title):
        tool = tools()[title]
        if (title, service, kind, name) in done or (title, service) in unable:
            return
        keep = raw / re.sub(r"\W+", "-", f"{title}-{service}-{kind}-{name}")
        if kind in ("faithful", "deviation", "variation"):
            with served(service, kind, name, folder) as (url, count):
                result = run_tool(tool, service, url, folder, keep)
                result["requests"] = count()
            if kind == "faithful" and not result["requests"]:
                unable.add((title, service))
        else:
            with socket.create_server(("127.0.0.1", 0)) as listener:
                threading.Thread(target=odd_target, args=(kind, listener), daemon=True).start()
                result = run_tool(tool, service, "http://127.0.0.1:%d" % listener.getsockname()[1], folder, keep)
                listener.shutdown(socket.SHUT_RDWR)
        with writing, store.open("a") as f:
            f.write(json.dumps({"tool": title, "service": service, "kind": kind, "name": name, "level": level, **result}) + "\n")
        print(f"{title:16} {service} {kind} {name}: exit {result['exit']}, {len(failures(tool, result, folder))} kinds, {result['seconds']} s", flush=True)

    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rows = [(*target, title) for target in targets(folder, every) for title in tools()]
    # What the table shows the time and the memory of runs alone.
    sampled = [row for row in rows if row[1] in ("deviation", "variation")]
    for row in rows:
        if row not in sampled:
            measure_one(*row)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        for _ in pool.map(lambda row: measure_one(*row), sampled):
            pass


def runs(folder):
    every = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    return [{**r, "failures": failures(tools()[r["tool"]], r, folder)} for r in every]


def table(folder):
    every = collections.defaultdict(dict)
    for r in runs(folder):
        every[r["tool"], r["service"]][r["kind"], r["name"]] = r
    full = {s: set.intersection(*(set(v) for (t, x), v in every.items() if x == s and any(r.get("requests") for r in v.values()))) for s in DOCUMENTS}
    last = time.localtime((folder / "runs.jsonl").stat().st_mtime)
    listed = collections.Counter((service, kind) for service, kind, *_ in targets(folder, 1))
    print(f"# Results\n\nMeasured on {time.strftime('%Y-%m-%d', last)} with `.ci/peers/run`. Each line above a table says how large the sample is.\n"
          "Seconds include waiting for other programs on the same core; CPU seconds do not.")
    found = {}
    for key, results in every.items():
        usual = {f for (kind, _), r in results.items() if kind == "faithful" for f in r["failures"]}
        found[key] = {k for k in full[key[1]] if k in results and k[0] in ("deviation", "variation") and set(results[k]["failures"]) - usual}
    for service in DOCUMENTS:
        ours = found["conformance", service]
        count = collections.Counter((k, every["conformance", service][k, n]["level"]) for k, n in full[service])
        musts, shoulds, varied = count["deviation", "must"], count["deviation", "should"], sum(count["variation", x] for x in ("must", "should"))
        print(f"\n{service}: {musts + shoulds} of {listed[service, 'deviation']} deviations, {musts} of which break a must and {shoulds} a should, "
              f"and {varied} of {listed[service, 'variation']} variations\n")
        print("| tool | version | lines of set-up | found (must) | found (should) | faithful service | false alarms on variations "
              "| requests | seconds | CPU seconds | MB | finds that we do not |")
        print("|---|---|---|---|---|---|---|---|---|---|---|---|")
        for title, tool in tools().items():
            results = every[title, service]
            usual = results.get(("faithful", "")) or results.get(("faithful", "again"))
            if not usual or not usual["requests"]:
                reason = "not measured" if not usual else f"sends no request, exit {usual['exit']}"
                print(f"| {title} | {tool.version} | {set_up(tool, service)} | {reason} | | | | | | | | |")
                continue
            mine = found[title, service]
            levels = collections.Counter(results[k]["level"] for k in mine if k[0] == "deviation")
            extra = sorted(n for k, n in mine - ours if k == "deviation")
            alarms = sorted(n for k, n in mine if k == "variation")
            kinds = len(usual["failures"])
            state = "did not end" if usual["exit"] == "late" else f"{kinds} kinds of failure" if kinds else "passed"
            print(f"| {title} | {tool.version} | {set_up(tool, service)} | {levels['must']} of {musts} | {levels['should']} of {shoulds} | {state} "
                  f"| {len(alarms)} of {varied} | {usual['requests']} | {usual['seconds']:.1f} | {usual['cpu']:.1f} | {usual['mb']} | {', '.join(extra) or '-'} |")
    print("\n| tool | hanging target | endless target | token in its output |\n|---|---|---|---|")
    for title in tools():
        results, cells = every[title, "plants"], []
        for kind in ("hanging", "endless"):
            r = results.get((kind, ""))
            end = "-" if not r else f"did not end in {LIMIT} s" if r["exit"] == "late" else f"{r['seconds']:.0f} s, exit {r['exit']}"
            cells.append(end + (f", {r['mb']} MB" if r else ""))
        leaks = results.get(("canary", ""), {}).get("leaks")
        files = len([name for name in leaks or [] if name != ".output"])
        cells.append("-" if leaks is None else "no" if not leaks else "yes: " + " and ".join(["its output"] * (".output" in leaks) + [f"{files} written file{'s' * (files > 1)}"] * bool(files)))
        print(f"| {title} | {' | '.join(cells)} |")
    print("\nFalse alarms:\n")
    for (title, service), mine in found.items():
        if names := sorted(n for k, n in mine if k == "variation"):
            print(f"- {title}, {service}: {', '.join(names)}")


if __name__ == "__main__":
    verb, place = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    measure(place, int(sys.argv[3])) if verb == "measure" else table(place)
