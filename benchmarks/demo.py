"""The demo: real packages in several versions, one commit a version, indexed by a daemon in a home of its own.

python benchmarks/demo.py start|stop
"""

from __future__ import annotations

import email
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

from benchmarks.questions import questions

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEMO = ROOT / ".demo"
CODE = DEMO / "code"
PACKAGES = {
    "requests": ("2.28.2", "2.31.0", "2.32.3"),
    "flask": ("2.2.5", "2.3.3", "3.0.3"),
    "click": ("8.0.4", "8.1.7"),
    "httpx": ("0.24.1", "0.25.2", "0.27.2"),
    "jinja2": ("3.0.3", "3.1.4"),
}


def main(argv: list[str]) -> int:
    """Starts or stops the demo; the exit status of the first step that failed."""
    if argv[1:] not in (["start"], ["stop"]):
        print(__doc__)
        return 2
    return start() if argv[1] == "start" else stop()


def start() -> int:
    """Corpus, index, questions."""
    for package, versions in PACKAGES.items():
        if not (CODE / package / ".git").is_dir():
            make_repository(package, versions)
    for command in (("setup", str(CODE), "-y", "--no-service"), ("add", str(ROOT)), ("index", "--wait")):
        if status := loci(*command):
            return status
    wrong = [question for scope, question in questions() if not answered(question, scope)]
    for question in wrong:
        print(f"demo: not answered as expected: {question}", file=sys.stderr)
    print(FAREWELL.format(home=environment()["LOCI_HOME"], loci=launcher()))
    return 1 if wrong else 0


def answered(question: str, scope: str) -> bool:
    """Asks as a person would, and whether the right project led, or nothing did where nothing should."""
    loci("ask", question, "--cwd", "/", "--budget", "400")
    command = [launcher(), "ask", question, "--cwd", "/", "--json"]
    done = subprocess.run(command, env=environment(), cwd="/", check=False, capture_output=True, text=True)
    found = json.loads(done.stdout)["scopes"]
    return (found[0]["name"] if found else "-") == (ROOT.name if scope == "loci" else scope)


FAREWELL = """
The daemon stays up, warm, in a home of its own. Ask it more:

    export LOCI_HOME={home}
    {loci} ask "how does click find the terminal's width?"
    {loci} status

`make demo-stop` ends it. For your own projects, without LOCI_HOME:

    {loci} setup ~/code
"""


def stop() -> int:
    """Ends the demo's daemon."""
    return loci("daemon", "stop")


def loci(*args: str) -> int:
    """Runs one command as a person would, and shows it first."""
    print("\n$ loci " + " ".join(a if a.replace("-", "").isalnum() or a.startswith("/") else f'"{a}"' for a in args))
    sys.stdout.flush()
    return subprocess.run([launcher(), *args], env=environment(), cwd="/", check=False).returncode


def launcher() -> str:
    """The command beside this interpreter."""
    return str(pathlib.Path(sys.executable).parent / "loci")


def environment() -> dict[str, str]:
    """The environment with a home of the demo's own."""
    return os.environ | {"LOCI_HOME": str(DEMO / "home")}


def make_repository(package: str, versions: tuple[str, ...]) -> None:
    """A repository with one commit a version, each the package as it was published."""
    root = CODE / package
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    for version in versions:
        print(f"  {package} {version}")
        for old in root.iterdir():
            if old.name != ".git":
                shutil.rmtree(old) if old.is_dir() else old.unlink()
        unpack(download(package, version), root)
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", f"Release {package} {version}")


def download(package: str, version: str) -> pathlib.Path:
    """The wheel of one version, from the package index that pip is set up for."""
    folder = DEMO / "wheels" / f"{package}-{version}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(folder), f"{package}=={version}"]
    if not any(folder.glob("*.whl")):
        subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def unpack(wheel: pathlib.Path, root: pathlib.Path) -> None:
    """The package's files, and its description as a README."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if ".dist-info/" not in name:
                archive.extract(name, root)
            elif name.endswith("METADATA"):
                message = email.message_from_bytes(archive.read(name))
                body = message.get_payload()
                suffix = "rst" if "rst" in str(message.get("Description-Content-Type")) else "md"
                (root / f"README.{suffix}").write_text(str(body), encoding="utf-8")


def git(root: pathlib.Path, *args: str) -> None:
    """Runs git there, as nobody in particular."""
    who = ["-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *who, *args], check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
