#!/usr/bin/env python3
"""Carries a job file out as its scheduler would, on this machine and without containers.

simulate.py kubernetes|aws-batch|nextflow FILE [--control FOLDER] [--double SHARD] [--merge]

What a job runs comes out of FILE as the scheduler reads it, with the variables that it sets; exit codes and
repetitions are judged by FILE's own rules. Every shard is run, or with --merge the merge alone. --double
starts that shard a second time when the first start is held (FOLDER/held-SHARD), and lets the first go on
(FOLDER/go-SHARD) when the second has ended. Prints one line a start, "SHARD START CODE", and exits with 0 if
all shards ended well, else with the code of the last failure.

kubernetes needs PyYAML and kubernetes-validate, aws-batch needs botocore: both check FILE against the
schemas of the scheduler.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

# What a container or a job has of the environment: nothing that another scheduler could have set.
KEPT = ("PATH", "HOME", "TMPDIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "LC_ALL")
LIMIT = 300


class Job:
    """The shards of a job file: how each is run, and what becomes of it."""

    def __init__(self, shards, command, is_repeated, parallel=2):
        self.shards = shards  # numbers from 1
        self.command = command  # shard, start -> (arguments, variables)
        self.is_repeated = is_repeated  # code, starts so far -> bool
        self.parallel = parallel


def start(arguments, variables):
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | variables
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(arguments, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=sys.stderr, timeout=LIMIT, check=False).returncode


def wait_for(path):
    limit = time.monotonic() + 120
    while not os.path.exists(path):
        if time.monotonic() > limit:
            raise TimeoutError(path)
        time.sleep(0.1)


def carry_out(job, double, control):
    lock = threading.Lock()

    def attempt(shard, number):
        code = start(*job.command(shard, number))
        with lock:
            print(shard, number, code, flush=True)
        return code

    def doubled(shard):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            first = pool.submit(attempt, shard, 1)
            wait_for(os.path.join(control, f"held-{shard}"))
            second = attempt(shard, 2)
            with open(os.path.join(control, f"go-{shard}"), "w", encoding="utf-8"):
                pass
            return first.result() or second

    def repeated(shard):
        if shard == double:
            return doubled(shard)
        number = 1
        while (code := attempt(shard, number)) and job.is_repeated(code, number):
            number += 1
        return code

    with concurrent.futures.ThreadPoolExecutor(job.parallel) as pool:
        codes = list(pool.map(repeated, job.shards))
    return next((code for code in reversed(codes) if code), 0)


def expanded(text, variables):
    """An argument as a kubelet passes it on (third_party/forked/golang/expansion/expand.go)."""
    result, remainder = "", text
    while (at := remainder.find("$")) >= 0 and at + 1 < len(remainder):
        result, remainder = result + remainder[:at], remainder[at + 1:]
        if remainder[0] == "$":
            result, remainder = result + "$", remainder[1:]
        elif remainder[0] == "(" and ")" in remainder:
            name, remainder = remainder[1:].split(")", 1)
            result += variables.get(name, f"$({name})")
        elif remainder[0] == "(":
            result, remainder = result + "$(", remainder[1:]
        else:
            result, remainder = result + "$" + remainder[0], remainder[1:]
    return result + remainder


def kubernetes(path, merges):
    import kubernetes_validate
    import yaml

    with open(path, encoding="utf-8") as file:
        text = file.read()
    if merges:
        # As the comment of the file says.
        text = subprocess.run(["sed", "-n", "/^# ---$/,$ s/^# //p", path], stdout=subprocess.PIPE,
                              check=True, text=True).stdout
    documents = [document for document in yaml.safe_load_all(text) if document]
    assert len(documents) == 1, len(documents)
    document = documents[0]
    version = kubernetes_validate.latest_version()
    kubernetes_validate.validate(document, version, strict=True)
    spec = document["spec"]
    pod = spec["template"]["spec"]
    container, = pod["containers"]
    # What the API server checks beyond the schema.
    assert re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", document["metadata"]["name"])
    assert pod["restartPolicy"] == "Never", "podFailurePolicy needs it"
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounts.keys() == {volume["name"] for volume in pod["volumes"]}
    assert not merges or spec.get("completionMode", "NonIndexed") == "NonIndexed"
    assert merges or spec["completionMode"] == "Indexed"
    final = set()
    for rule in spec["podFailurePolicy"]["rules"]:
        codes = rule.get("onExitCodes")
        if codes:
            assert codes["containerName"] == container["name"] and codes["operator"] == "In"
            assert len(codes["values"]) == len(set(codes["values"])) and 0 not in codes["values"]
            assert rule["action"] == ("FailJob" if merges else "FailIndex")
            final |= set(codes["values"])
    repetitions = spec["backoffLimit" if merges else "backoffLimitPerIndex"]
    print(f"kubernetes: valid for Kubernetes {version}", file=sys.stderr)

    def command(shard, _):
        variables = {} if merges else {"JOB_COMPLETION_INDEX": str(shard - 1)}
        return [expanded(word, variables) for word in container["command"]], variables

    count = 1 if merges else spec["completions"]
    return Job(range(1, count + 1), command, lambda code, starts: code not in final and starts <= repetitions,
               1 if merges else min(2, spec["parallelism"]))


def aws_batch(path, merges):
    import botocore.session
    import botocore.validate

    with open(path, encoding="utf-8") as file:
        requests = json.load(file)
    service = botocore.session.get_session().get_service_model("batch")
    for member, operation in (("registerJobDefinition", "RegisterJobDefinition"), ("submitJob", "SubmitJob"),
                              ("submitMerge", "SubmitJob")):
        shape = service.operation_model(operation).input_shape
        report = botocore.validate.ParamValidator().validate(requests[member], shape)
        assert not report.has_errors(), report.generate_report()
    definition = requests["registerJobDefinition"]
    job = requests["submitMerge" if merges else "submitJob"]
    assert job["jobDefinition"] == definition["jobDefinitionName"]
    words = job.get("containerOverrides", {}).get("command", definition["containerProperties"]["command"])
    strategy = job.get("retryStrategy", definition["retryStrategy"])
    rules = strategy.get("evaluateOnExit", [])
    assert len(rules) <= 5, "at most five rules"
    size = job.get("arrayProperties", {}).get("size")
    assert size is None or 2 <= size <= 10_000, size
    print("aws-batch: valid for the models of botocore", file=sys.stderr)

    def command(shard, number):
        variables = {"AWS_BATCH_JOB_ID": f"simulated:{shard - 1}", "AWS_BATCH_JOB_ATTEMPT": str(number)}
        if size is not None:
            variables["AWS_BATCH_JOB_ARRAY_INDEX"] = str(shard - 1)
        return words, variables

    def is_repeated(code, starts):
        if starts >= strategy["attempts"]:
            return False
        for rule in rules:
            if fnmatch.fnmatchcase(str(code), rule.get("onExitCode", "*")):
                return rule["action"] == "RETRY"
        return True

    return Job(range(1, (size or 1) + 1), command, is_repeated)


def nextflow(path, merges):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    first, last = map(int, re.search(r"channel\.of\((\d+)\.\.(\d+)\)", text).groups())
    assert first == 1
    process, = re.findall(r"^process %s \{\n(.*?)^\}\n" % ("MERGE" if merges else "SHARD"), text, re.S | re.M)
    script, = re.findall(r'^  """\n(.*?)^  """\n', process, re.S | re.M)
    final = set() if merges else set(map(int, re.search(r"in \[([\d, ]+)\] \? 'finish' : 'retry'", process)[1].split(",")))
    repetitions = 0 if merges else int(re.search(r"maxRetries (\d+)", process)[1])

    def command(shard, _):
        def replaced(match):
            if match[0].startswith("\\"):
                return match[1]
            assert match[0] == "${shard}" and not merges, match[0]
            return str(shard)

        # A string of Groovy between three double quotes; Nextflow runs it by this shell.
        return ["/bin/bash", "-ue", "-c", re.sub(r"\\(.)|\$\{\w+\}|\$", replaced, script)], {}

    return Job([1] if merges else range(1, last + 1), command, lambda code, starts: code not in final and starts <= repetitions)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scheduler", choices=["kubernetes", "aws-batch", "nextflow"])
    parser.add_argument("file")
    parser.add_argument("--control")
    parser.add_argument("--double", type=int)
    parser.add_argument("--merge", action="store_true")
    options = parser.parse_args()
    read = {"kubernetes": kubernetes, "aws-batch": aws_batch, "nextflow": nextflow}[options.scheduler]
    sys.exit(carry_out(read(options.file, options.merge), options.double, options.control))


if __name__ == "__main__":
    main()
