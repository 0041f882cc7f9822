"""Generate the Python message code, `adamas.v1`, from the .proto files.

Run by `make protos`. Only files whose content changed are written, and files that no .proto
accounts for any more are removed, so that running it twice changes nothing.
"""

import argparse
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

import grpc_tools
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
PACKAGE = Path("adamas/v1")
OUTPUT = ROOT / "clients" / "python" / "src"
DESCRIPTORS = "descriptors.binpb"
FAMILIES = {
    "GameOptions": "OptionsOf[{state}]",
    "GameState": "StateOf[{state}, {view}, {move}]",
    "PlayerView": "ViewOf[{move}]",
}
"""What the stubs derive the messages of each envelope from; see `adamas.families`."""
FAMILIES_IMPORT = "from adamas import families as _families\n"
INIT = '"""The messages and service stubs of Adamas, generated from adamas/v1/*.proto."""\n'


def _plugin(name: str) -> str:
    """Return the option that tells protoc where the plugin `name` of this environment is."""
    path = Path(sysconfig.get_path("scripts")) / name
    if not path.is_file():
        raise SystemExit(f"{name} is not installed beside {sys.executable}; run `make setup`")
    return f"--plugin={name}={path}"


def generate(protos: Path, out: Path) -> None:
    """Run protoc over every .proto file below `protos`, writing below `out`.

    Args:
        protos: The folder that import paths in .proto files start from.
        out: An existing folder; receives one package folder per proto package.

    Raises:
        SystemExit: If there are no .proto files, or protoc reports an error.
    """
    sources = sorted(path.relative_to(protos).as_posix() for path in protos.rglob("*.proto"))
    if not sources:
        raise SystemExit(f"no .proto files below {protos}")
    well_known_types = Path(grpc_tools.__file__).parent / "_proto"
    status = protoc.main(
        [
            "protoc",
            f"--proto_path={protos}",
            f"--proto_path={well_known_types}",
            _plugin("protoc-gen-mypy"),
            _plugin("protoc-gen-mypy_grpc"),
            f"--python_out={out}",
            f"--grpc_python_out={out}",
            f"--descriptor_set_out={out / DESCRIPTORS}",
            f"--mypy_out=quiet:{out}",
            f"--mypy_grpc_out=quiet:{out}",
            *sources,
        ]
    )
    if status != 0:
        raise SystemExit(f"protoc failed with status {status}")


def relate(out: Path) -> None:
    """Make the stubs say which options, states, views and moves belong to one game.

    Args:
        out: Where `generate` has written.

    Raises:
        SystemExit: If a stub does not look as this expects.
    """
    files = FileDescriptorSet.FromString((out / DESCRIPTORS).read_bytes()).file
    homes = {message.name: file for file in files for message in file.message_type}
    kinds = {
        message.name: {field.name: field.type_name.rpartition(".")[2] for field in message.field}
        for file in files
        for message in file.message_type
        if message.name in {*FAMILIES, "Move"}
    }
    for envelope, family in FAMILIES.items():
        games = {message: [game] for game, message in kinds[envelope].items()}
        games[envelope] = list(kinds[envelope])  # it holds a message of any game
        for message, those in games.items():
            here = homes[message]
            state, view, move = (
                " | ".join(_name(kinds[kind][game], homes, here) for game in those)
                for kind in ("GameState", "PlayerView", "Move")
            )
            stub = out / f"{here.name.removesuffix('.proto')}_pb2.pyi"
            _derive(stub, message, family.format(state=state, view=view, move=move))


def _name(message: str, homes: dict[str, FileDescriptorProto], here: FileDescriptorProto) -> str:
    """What a message is called in the stub of the file `here`."""
    home = homes[message]
    return message if home is here else f"_{Path(home.name).stem}_pb2.{message}"


def _derive(stub: Path, message: str, family: str) -> None:
    text = stub.read_text(encoding="utf-8")
    old = f"class {message}(_message.Message):"
    if old not in text:
        raise SystemExit(f"{stub.name} has no line {old!r}")
    if FAMILIES_IMPORT not in text:
        text = text.replace("import builtins", f"{FAMILIES_IMPORT}import builtins", 1)
    new = f"class {message}(_families.{family}):"
    stub.write_text(text.replace(old, new), encoding="utf-8")


def mirror(fresh: Path, target: Path) -> int:
    """Make `target` hold exactly the files of `fresh`, touching only those that differ.

    Returns:
        How many files were written or removed.
    """
    changed = 0
    target.mkdir(parents=True, exist_ok=True)
    wanted = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
    for name in sorted(wanted):
        new, old = fresh / name, target / name
        if not old.is_file() or old.read_bytes() != new.read_bytes():
            old.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(new, old)
            changed += 1
    for old in target.rglob("*"):
        if (
            old.is_file()
            and "__pycache__" not in old.parts
            and old.relative_to(target) not in wanted
        ):
            old.unlink()
            changed += 1
    return changed


def main() -> None:
    """Generate into a scratch folder, then bring the package folder up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--protos", type=Path, default=PROTOS, help="folder of the .proto files")
    parser.add_argument("--out", type=Path, default=OUTPUT, help="folder that holds the package")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        generate(arguments.protos, fresh)
        relate(fresh)
        (fresh / PACKAGE / "__init__.py").write_text(INIT, encoding="utf-8")
        (fresh / PACKAGE / "py.typed").touch()
        changed = mirror(fresh / PACKAGE, arguments.out / PACKAGE)
    # The Makefile takes this file's time as the time of generation.
    (arguments.out / PACKAGE / "py.typed").touch()
    print(f"adamas.v1: {changed} generated files changed" if changed else "adamas.v1: up to date")


if __name__ == "__main__":
    main()
