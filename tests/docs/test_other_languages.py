"""docs/other-languages.md: its templates generate what they say, and its samples' requests are answered."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.api.service import Service
from tests.docs.page import ROOT, Page
from tests.docs.samples import Sample, Sent, read
from tests.doors.http import asked
from tools import java
from tools.generate import write_image
from tools.languages import JAVA

PAGE = Page(ROOT / "docs" / "other-languages.md")
HEAD, *TEMPLATES = [block.text for block in PAGE.blocks if block.language == "yaml"]
SAMPLES = [Sample(block.language, block.text) for block in PAGE.blocks if block.language in ("csharp", "gdscript")]

MADE = {"csharp": "*.cs", "java": "*.java", "kotlin": "*.kt", "cpp": "*.h"}
"""What the generators of protoc itself write."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"), "--drain-seconds", "0")
    service.start()
    yield service
    service.stop()


@pytest.mark.timeout(600)
def test_the_generators_of_protoc_make_what_the_templates_say(
    external_program: Callable[[str], Path], tmp_path: Path
) -> None:
    """With the compiler that the Java client is made by. The plugins of others are left to who has them."""
    for name in (JAVA.program, *JAVA.also):
        external_program(name)
    java.build()
    image = tmp_path / "proto.binpb"
    write_image(image)
    ran = []
    for text in TEMPLATES:
        template = yaml.safe_load(HEAD + text)
        template["inputs"][0]["binary_image"] = str(image)
        builtin = [plugin for plugin in template["plugins"] if "protoc_builtin" in plugin]
        assert builtin or all("local" in plugin for plugin in template["plugins"])
        for plugin in builtin:
            plugin["protoc_path"] = str(java.TARGET / "compilers" / "protoc")
            ran.append(plugin["protoc_builtin"])
        if builtin:
            spoken = json.dumps(template | {"plugins": builtin})
            buf = Path(sys.prefix, "bin", "buf")
            subprocess.run([buf, "generate", "--template", spoken, "--output", tmp_path], check=True, cwd=tmp_path)
        for plugin in builtin:
            files = list((tmp_path / plugin["out"]).rglob(MADE[plugin["protoc_builtin"]]))
            assert any("scotlandyard" in file.as_posix().lower() for file in files)
            for file in files:
                said = file.read_text().lower().replace(".", "/")
                assert "google/api" not in said
                assert "buf/validate" not in said
    assert sorted(ran) == sorted(MADE)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.language)
async def test_the_requests_of_a_sample_are_answered_as_it_expects(sample: Sample, service: Service) -> None:
    """In their order, and the last one once more: it waits for news, of which there is none."""
    answers: dict[str, Any] = {}
    etags: dict[str, str] = {}
    used: set[str] = set()

    async def send(request: Sent) -> int:
        values = {"authorization": request.token, "if-none-match": etags.get(request.path, "")}
        headers = {name: sample.headers[name] + value for name, value in values.items() if value}
        if request.body:
            headers["content-type"] = sample.headers["content-type"]
            headers["idempotency-key"] = str(uuid.uuid4())
        used.update(headers)
        sending = asked(service.http, request.method, request.path, list(headers.items()), request.body.encode())
        async with sending as answer:
            if answer.status == 200:
                answers[request.name] = json.loads(await answer.body())
                if not request.body:
                    etags[request.path] = answer.headers["etag"]
            return answer.status

    request = None
    for request in sample.requests(answers):
        assert await send(request) == 200, (request, answers)
    assert request is not None
    assert await send(request) == 304
    assert list(answers) == ["created", "issued", "legal", "played", "state"]
    assert used == sample.headers.keys()
    expressions = sample.what_is_read(answers)
    assert len(expressions) >= 6
    for expression in expressions:
        read(answers, expression)
