"""pipeline.py FILE: the shell steps of a CI file as JSON, in the order in which the server runs them.

Each has `script` and `always`: whether it runs after a failure too.
"""

import json
import re
import sys


def github(text):
    import yaml

    [job] = yaml.safe_load(text)["jobs"].values()
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), step
        if "run" in step:
            yield {"script": step["run"], "always": step.get("if", "").startswith("always()")}


def gitlab(text):
    import yaml

    file = yaml.safe_load(text)
    for stage in file["stages"]:
        for name, job in file.items():
            if name == "stages" or job["stage"] != stage:
                continue
            yield {"script": "set -e\n" + "\n".join(job["script"]), "always": False}
            if "after_script" in job:
                yield {"script": "\n".join(job["after_script"]), "always": True}
            assert job.get("artifacts", {}).get("when", "always") == "always"


def jenkins(text):
    code = re.sub("//.*", "", text)
    bare = re.sub("'''.*?'''|'[^']*'", "''", code, flags=re.S)
    assert bare.count("{") == bare.count("}") and bare.count("(") == bare.count(")")
    post = code.index("post {")
    for match in re.finditer("sh '''(.*?)'''", code, re.S):
        # Jenkins runs `sh -xe`.
        yield {"script": "set -e\n" + match.group(1), "always": match.start() > post}


readers = {"github-actions.yml": github, "gitlab-ci.yml": gitlab, "Jenkinsfile": jenkins}
with open(sys.argv[1], encoding="utf-8") as file:
    steps = list(readers[sys.argv[1].rsplit("/", 1)[1]](file.read()))
assert steps
print(json.dumps({"steps": steps}))
