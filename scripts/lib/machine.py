"""A Debian machine of its own under real systemd, in namespaces of this one. Imported, never run.

Needs root, and runs in a network and a mount namespace that the script has entered before
(`enter_namespaces`), so that nothing of it stays behind.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# What the daemon needs there, what the tests use, and what makes a user's services work.
PACKAGES = [
    "systemd", "systemd-sysv", "dbus", "libpam-systemd", "libsqlite3-0", "libcurl4", "libstdc++6",
    "ca-certificates", "sqlite3", "iproute2", "procps", "python3-minimal", "libpython3-stdlib"]
SERVER = "10.99.0.1"
ADDRESS = "10.99.0.2"


def enter_namespaces(*arguments):
    """Starts this very script again in a network and a mount namespace of its own."""
    os.execvp("unshare", [
        "unshare", "--net", "--mount", "--propagation", "private",
        sys.executable, os.path.abspath(sys.argv[0]), "--inside", *arguments])


def can_be_made():
    """Whether this process may make the namespaces and mounts of a machine."""
    return subprocess.run(
        ["unshare", "--net", "--mount", "--pid", "--uts", "--ipc", "--cgroup", "--fork",
         "mount", "-t", "tmpfs", "tmpfs", "/tmp"], check=False, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def mirror():
    """Where this machine's own apt takes Debian's packages from."""
    shown = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(ORIGIN)",
         "Created-By: Packages"], check=True, stdout=subprocess.PIPE, text=True)
    for line in shown.stdout.splitlines():
        site, release, origin = line.split(" ", 2)
        if origin == "Debian" and release == "bookworm":
            return site
    sys.exit("error: apt knows no mirror of Debian 12. Name one with --mirror.")


def debian(cache, site=None):
    """The tree of a small Debian 12 in the directory `cache`, made where it is not there yet."""
    tree = os.path.join(cache, "debian-12")
    if os.path.exists(tree):
        return tree
    print(f"making a Debian 12 in {tree}, which takes some minutes", flush=True)
    os.makedirs(cache, exist_ok=True)
    draft = tempfile.mkdtemp(prefix="draft-", dir=cache)
    subprocess.run(
        ["debootstrap", "--variant=minbase", "--include=" + ",".join(PACKAGES), "bookworm", draft,
         site or mirror()], check=True, stdout=subprocess.DEVNULL)
    os.chmod(draft, 0o755)
    os.rename(draft, tree)
    return tree


class Machine:
    """A machine on a copy of a tree; what is written to it ends with it."""

    def __init__(self, tree, name="machine"):
        self.name = name
        self.place = tempfile.mkdtemp(prefix="syncd-machine-")
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", self.place], check=True)
        for part in ["upper", "work", "root"]:
            os.mkdir(os.path.join(self.place, part))
        self.root = os.path.join(self.place, "root")
        subprocess.run(
            ["mount", "-t", "overlay", "-o",
             f"lowerdir={tree},upperdir={self.place}/upper,workdir={self.place}/work",
             "overlay", self.root], check=True)
        self.leader = None
        self.groups = []

    def path(self, inside):
        """Where a file of the machine is while it does not run."""
        return self.root + inside

    def write(self, path, text, mode=0o644):
        """Writes a file, before the machine boots or while it runs."""
        top = f"/proc/{self.pid}/root" if self.leader else self.root
        os.makedirs(os.path.dirname(top + path), exist_ok=True)
        with open(top + path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(top + path, mode)

    def change(self, *words):
        """Runs a program in the tree of a machine that does not run."""
        subprocess.run(["chroot", self.root, *words], check=True)

    def boot(self):
        """Starts systemd and waits until it has started everything; returns what it says."""
        self.groups = list(control_groups(f"syncd-machine-{os.getpid()}"))

        def join():
            for group in self.groups:
                with open(group + "/cgroup.procs", "w", encoding="ascii") as file:
                    file.write("0")

        self.leader = subprocess.Popen(
            ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--uts", "--ipc", "--net",
             "--cgroup", os.path.join(HERE, "boot-machine"), self.root, self.name],
            stdin=subprocess.DEVNULL, preexec_fn=join)
        children = f"/proc/{self.leader.pid}/task/{self.leader.pid}/children"
        wait_until(lambda: open(children, encoding="ascii").read().strip(), 10, "the first process")
        with open(children, encoding="ascii") as file:
            self.pid = int(file.read())
        wait_until(
            lambda: os.path.exists(f"/proc/{self.pid}/root/run/systemd/private"), 30,
            "the start of systemd")
        return self.text("systemctl", "is-system-running", "--wait", check=False)

    def run(self, *words, user=None, check=True, **options):
        """Runs a program in the machine."""
        if user:
            words = ["runuser", "-u", user, "--", *words]
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        done = subprocess.run(
            ["nsenter", "--target", str(self.pid), "--mount", "--uts", "--ipc", "--net", "--pid",
             "--root", "--wd", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
             "SYSTEMD_COLORS=0", "SYSTEMD_PAGER=", *words],
            stdin=subprocess.DEVNULL, text=True, check=False, **options)
        if check and done.returncode != 0:
            raise Failed(f"{' '.join(words)}: exit status {done.returncode}: {done.stderr}")
        return done

    def text(self, *words, **options):
        return self.run(*words, **options).stdout.strip()

    def show(self, unit, *names):
        """Properties of a unit, by name."""
        shown = self.text("systemctl", "show", unit, "--property=" + ",".join(names))
        return dict(line.split("=", 1) for line in shown.splitlines())

    def connect(self):
        """Joins the machine's network to the script's, which has the address SERVER on it."""
        ip = ["ip"]
        subprocess.run([*ip, "link", "add", "outside", "type", "veth", "peer", "name", "inside"],
                       check=True)
        subprocess.run([*ip, "link", "set", "inside", "netns", str(self.pid)], check=True)
        subprocess.run([*ip, "address", "add", SERVER + "/24", "dev", "outside"], check=True)
        subprocess.run([*ip, "link", "set", "outside", "up"], check=True)
        self.run("ip", "link", "set", "inside", "up")
        self.run("ip", "address", "add", ADDRESS + "/24", "dev", "inside")

    def disconnect(self):
        subprocess.run(["ip", "link", "delete", "outside"], check=True)

    def power_off(self):
        """Ends it in good order where it still answers, then by force; keeps its disk."""
        if not self.leader:
            return
        self.run("systemctl", "poweroff", "--no-block", check=False)
        try:
            self.leader.wait(30)
        except subprocess.TimeoutExpired:
            os.kill(self.pid, signal.SIGKILL)
            self.leader.wait()
        self.leader = None
        for group in self.groups:
            for directory, _, _ in os.walk(group, topdown=False):
                os.rmdir(directory)

    def end(self):
        self.power_off()
        subprocess.run(["umount", self.root], check=True)
        subprocess.run(["umount", self.place], check=True)
        shutil.rmtree(self.place)


class Failed(Exception):
    """What was expected did not come."""


def control_groups(name):
    """Makes a group `name` in each hierarchy of this machine, and returns their directories."""
    with open("/proc/self/cgroup", encoding="ascii") as file:
        own = [line.rstrip("\n").split(":", 2) for line in file]
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        mounts = [line.split() for line in file]
    for _, controllers, path in own:
        for mount in mounts:
            kind, options = mount[mount.index("-") + 1], mount[-1].split(",")
            if controllers == "" and kind == "cgroup2":
                # Below its root: elsewhere a group with processes cannot give controllers on.
                path = path if len(own) > 1 else "/"
            elif kind != "cgroup" or not set(controllers.split(",")) <= set(options):
                continue
            parent = mount[4] + path.rstrip("/")
            group = f"{parent}/{name}"
            os.makedirs(group, exist_ok=True)
            for file in ["cpuset.cpus", "cpuset.mems"] if controllers == "cpuset" else []:
                shutil.copyfile(f"{parent}/{file}", f"{group}/{file}")
            yield group
            break


def wait_until(is_met, seconds, what):
    """Waits until `is_met()` is true; returns what it returned."""
    deadline = time.monotonic() + seconds
    while True:
        met = is_met()
        if met:
            return met
        if time.monotonic() > deadline:
            raise Failed(f"{what} did not come in {seconds} s")
        time.sleep(0.05)
