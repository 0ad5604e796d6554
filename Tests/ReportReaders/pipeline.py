"""pipeline.py FILE: the shell steps of a CI file as JSON, in the order in which the server runs them.

Each has `script` and `always`: whether it runs after a failure too. The job that builds the package of
mediabatch is left out.
"""

import json
import re
import sys


def github(text):
    import yaml

    jobs = yaml.safe_load(text)["jobs"]
    assert list(jobs) == ["package", "import"] and jobs["import"]["needs"] == "package"
    for step in jobs["import"]["steps"]:
        assert ("run" in step) != ("uses" in step), step
        if "run" in step:
            yield {"script": step["run"], "always": step.get("if", "").startswith("always()")}


def gitlab(text):
    import yaml

    file = yaml.safe_load(text)
    before = file["default"]["before_script"]
    assert file["stages"][0] == "package"
    for stage in file["stages"][1:]:
        for job in file.values():
            if not isinstance(job, dict) or job.get("stage") != stage:
                continue
            script = job.get("before_script", before) + job["script"]
            yield {"script": "set -e\n" + "\n".join(script), "always": False}
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
