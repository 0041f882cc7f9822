"""The container, Compose and Kubernetes files fit their schemas, one another, and the server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from adamas.channels import SERVICE_CONFIG
from server.access.clients import read_clients
from server.settings import ENVIRONMENT_PREFIX, Settings, read_settings

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
KUSTOMIZATION: dict[str, Any] = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
OBJECTS: dict[str, dict[str, Any]] = {
    found["kind"]: found
    for name in KUSTOMIZATION["resources"]
    for found in yaml.safe_load_all((KUBERNETES / name).read_text())
}
POD: dict[str, Any] = OBJECTS["Deployment"]["spec"]["template"]
CONTAINER: dict[str, Any] = POD["spec"]["containers"][0]
KUBERNETES_ENVIRONMENT = {entry["name"]: entry["value"] for entry in CONTAINER["env"]}
COMPOSE_ENVIRONMENT: dict[str, str] = COMPOSE["services"]["adamas"]["environment"]
IMAGE_ENVIRONMENT = dict(re.findall(r"^(?:ENV)? +(ADAMAS_\w+)=(\S+)", DOCKERFILE, re.MULTILINE))


def run(*command: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).parent / command[0]
    return subprocess.run(
        [program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("kind", OBJECTS)
def test_kubernetes_objects_fit_their_schemas(kind: str) -> None:
    kubernetes_validate.validate(OBJECTS[kind], "1.33", strict=True)


def test_a_wrong_kubernetes_object_would_be_found() -> None:
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(OBJECTS["Service"] | {"specc": {}}, "1.33", strict=True)


def test_the_kustomization_names_every_file() -> None:
    files = {path.name for path in KUBERNETES.glob("*.yaml")}
    assert files == {"kustomization.yaml", *KUSTOMIZATION["resources"]}


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("Deployment", ("selector", "matchLabels")),
        ("Service", ("selector",)),
        ("PodDisruptionBudget", ("selector", "matchLabels")),
        ("NetworkPolicy", ("podSelector", "matchLabels")),
    ],
)
def test_selectors_find_the_pods(kind: str, path: tuple[str, ...]) -> None:
    wanted = OBJECTS[kind]["spec"]
    for step in path:
        wanted = wanted[step]
    assert wanted.items() <= POD["metadata"]["labels"].items()


def test_the_autoscaler_scales_the_deployment() -> None:
    target = OBJECTS["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert target["kind"] == "Deployment"
    assert target["name"] == OBJECTS["Deployment"]["metadata"]["name"]


def test_ports_are_those_of_the_server() -> None:
    ports = {port["name"]: port["containerPort"] for port in CONTAINER["ports"]}
    assert ports["metrics"] == int(KUBERNETES_ENVIRONMENT["ADAMAS_METRICS_PORT"])
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert CONTAINER[probe]["grpc"]["port"] == ports["grpc"]
    service = {port["targetPort"] for port in OBJECTS["Service"]["spec"]["ports"]}
    assert service == set(ports)
    assert ports["grpc"] == Settings().port
    assert ports["web"] == int(IMAGE_ENVIRONMENT["ADAMAS_WEB_PORT"])


def test_a_stop_has_the_time_that_it_may_take() -> None:
    wait = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    drain = float(KUBERNETES_ENVIRONMENT["ADAMAS_DRAIN"])
    assert POD["spec"]["terminationGracePeriodSeconds"] > wait + drain
    grace = COMPOSE["services"]["adamas"]["stop_grace_period"]
    linger = float(COMPOSE_ENVIRONMENT["ADAMAS_LINGER"])
    assert float(grace.removesuffix("s")) > linger + float(COMPOSE_ENVIRONMENT["ADAMAS_DRAIN"])


def test_pods_are_restricted() -> None:
    assert POD["spec"]["securityContext"]["runAsNonRoot"] is True
    assert CONTAINER["securityContext"]["allowPrivilegeEscalation"] is False
    assert CONTAINER["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    uid = POD["spec"]["securityContext"]["runAsUser"]
    assert f"\nUSER {uid}:" in DOCKERFILE


def test_the_compose_file_fits_its_schema() -> None:
    done = run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "deploy/compose.yaml")
    assert done.returncode == 0, done.stdout


def test_files_that_compose_mounts_exist() -> None:
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert not source.startswith(".") or (DEPLOY / source).exists(), source


def test_the_dockerfile_has_no_findings() -> None:
    done = run("hadolint", "deploy/Dockerfile")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "environment", [KUBERNETES_ENVIRONMENT, COMPOSE_ENVIRONMENT], ids=["kubernetes", "compose"]
)
def test_settings_are_known_to_the_server(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = IMAGE_ENVIRONMENT | environment
    del given["ADAMAS_CACHE_DIR"]  # the one that is no setting of the server's
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    settings = read_settings([])
    for name, value in given.items():
        found = getattr(settings, name.removeprefix(ENVIRONMENT_PREFIX).lower())
        assert found == (value == "true" if isinstance(found, bool) else type(found)(value))


def test_the_example_of_clients_can_be_read() -> None:
    text = (DEPLOY / "clients.example.toml").read_text()
    assert len(read_clients(text, "the example")) == 1


def test_the_service_config_is_the_python_clients() -> None:
    assert json.loads((DEPLOY / "service-config.json").read_text()) == SERVICE_CONFIG


def test_only_what_another_server_may_answer_is_retried() -> None:
    policies = [
        method["retryPolicy"]
        for method in SERVICE_CONFIG["methodConfig"]
        if "retryPolicy" in method
    ]
    assert [policy["retryableStatusCodes"] for policy in policies] == [["UNAVAILABLE", "CANCELLED"]]
