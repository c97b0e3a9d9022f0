"""Sends the requests of requests.json and lets a validator judge the responses.

driver.py prism|openapi-core plants|books DOCUMENT BASE-URL HEADER PREFIX

The credential is PREFIX and $TOKEN in HEADER. Prism is a proxy at BASE-URL that reports
what is wrong in a response header. A valid request must get 2xx and an invalid one 4xx:
neither validator checks that. Prints one line for each failure, and exits 1 if there is one.
"""
import contextlib
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import time

import requests
import yaml
from openapi_core import Config, OpenAPI
from openapi_core.contrib.requests import RequestsOpenAPIRequest, RequestsOpenAPIResponse

validator, service, document, base, header, prefix = sys.argv[1:]
rows = json.loads(pathlib.Path(__file__).with_name("requests.json").read_text())[service]
found, book, proxy = [], "none", None
if validator == "prism":
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open("prism.log", "w") as log:
        proxy = subprocess.Popen([os.environ["PRISM"], "proxy", document, base, "--port", str(port)], stdout=log, stderr=log)
    base = f"http://127.0.0.1:{port}"
    while proxy.poll() is None:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port)).close()
            break
        time.sleep(0.1)
else:
    description = json.loads(json.dumps(yaml.safe_load(open(document)), default=str))
    openapi = OpenAPI.from_dict({**description, "servers": [{"url": base}]}, config=Config(
        extra_media_type_deserializers={"application/problem+json": json.loads}))


def judge(response):
    if validator == "prism":
        violations = json.loads(response.headers.get("sl-violations", "[]"))
        return [v.get("code", "undeclared") + " " + ".".join(map(str, v["location"])) for v in violations if v["location"][0] == "response"]
    try:
        openapi.validate_response(RequestsOpenAPIRequest(response.request), RequestsOpenAPIResponse(response))
    except Exception as error:
        cause = error.__cause__ or error
        places = [f"{e.validator} {'.'.join(map(str, e.absolute_path))}" for e in getattr(cause, "schema_errors", [])]
        return places or [f"{type(error).__name__} {type(cause).__name__}"]
    return []


for number, row in enumerate(rows):
    headers = {} if row.get("anonymous") else {header: prefix + os.environ["TOKEN"]}
    text = json.dumps(row["body"]).replace('"FRESH"', str(random.getrandbits(50))) if "body" in row else None
    if text:
        headers["Content-Type"] = "application/merge-patch+json" if row["method"] == "PATCH" else "application/json"
    if service == "books" and row["method"] == "POST":
        headers["X-Request-Id"] = "6f1f1f5e-3c4f-4a53-9d3c-5f0d7c1a2b3c"
    name = f"{number} {row['method']} {row['path']}"
    try:
        response = requests.request(row["method"], base + row["path"].replace("ID", book), headers=headers, data=text, timeout=10)
    except requests.RequestException as error:
        found.append(f"{name}: {type(error).__name__}")
        continue
    if response.status_code // 100 != (2 if row["valid"] else 4):
        found.append(f"{name}: status {response.status_code}")
    found += [f"{name}: {complaint}" for complaint in judge(response)]
    if row["method"] == "POST" and response.status_code == 201:
        try:
            book = response.json()["id"]
        except (ValueError, KeyError, TypeError):
            found.append(f"{name}: no id")
if proxy:
    proxy.kill()
    proxy.wait()
print(*found, sep="\n")
sys.exit(1 if found else 0)
