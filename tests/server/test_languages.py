"""Which language a tag asks for."""

from __future__ import annotations

import pytest

from engines.violations import Report
from server.languages import match, read_language


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("", "en"),
        ("en", "en"),
        ("en-US", "en"),
        ("EN_gb", "en"),
        ("zh-TW", "zh-TW"),
        ("zh_tw", "zh-TW"),
        ("zh", "zh-TW"),
        ("zh-Hant", "zh-TW"),
        ("zh-Hant-HK", "zh-TW"),
        ("zh-HK", "zh-TW"),
        ("zh-MO", "zh-TW"),
        ("zh_TW.UTF-8", "zh-TW"),
        ("zh_HK.big5@stroke", "zh-TW"),
        ("en_US.UTF-8", "en"),
        ("C", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("cmn-Hant-TW", "zh-TW"),
        ("cmn", "zh-TW"),
        ("yue", "zh-TW"),
        ("yue-HK", "zh-TW"),
        ("yue-Hant-HK", "zh-TW"),
        ("zh-yue-HK", "zh-TW"),
    ],
)
def test_matches(tag: str, language: str) -> None:
    assert match(tag) == language


@pytest.mark.parametrize(
    "tag",
    [
        "de",
        "zh-CN",
        "zh-Hans",
        "zh-Hans-TW",
        "zh_CN.UTF-8",
        "cmn-Hans",
        "yue-CN",
        "de_DE.UTF-8",
        "english",
        "-",
        "\0",
        "x" * 9999,
    ],
)
def test_others_are_refused_with_the_supported_ones(tag: str) -> None:
    report = Report()
    assert read_language(tag, "query.language", report) == "en"
    (violation,) = report.violations
    assert violation.field == "query.language"
    assert "en, zh-TW" in violation.description
    assert len(violation.description) < 200
