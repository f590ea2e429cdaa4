"""The options that leave out a check, throw away or trust everybody: no lesson may tell an agent to use one."""

import re

# Of every program.
LONG_OPTION = re.compile(
    r"--no-(?:verify\S*|gpg-sign|check\S*|pre-commit|hooks?|strict-ssl)|--skip-\S*(?:check|hook|test|valid|verif|tls)\S*"
    r"|--(?:force(?:-with-lease|-if-includes|-yes|-unsafe\S*)?|hard|discard-changes|insecure\S*|break-system-packages"
    r"|trusted-host|allow-unauthenticated|allow-dirty|accept-data-loss|ignore-certificate-errors|dangerous\S*"
    r"|disable-\S*(?:check|hook|verif)\S*)(?:=(?!false|no|0)\S*)?"
    r"|--verify=(?:no|false|0)|-D(?:skipTests|skipITs|maven\.test\.skip)\S*|-auto-approve|-lock=false"
    r"|(?:-o)?StrictHostKeyChecking=no",
    re.IGNORECASE,
)
# Letters that say the same of one program, or of one of its sub-commands.
LETTERS = {
    "cp": "f",
    "curl": "k",
    "docker compose down": "v",
    "docker rm": "f",
    "docker rmi": "f",
    "docker-compose down": "v",
    "git add": "f",
    "git branch": "DMf",
    "git checkout": "fB",
    "git clean": "fdxX",
    "git commit": "n",
    "git push": "fd",
    "git rebase": "f",
    "git rm": "f",
    "git switch": "fC",
    "git tag": "fd",
    "git worktree": "f",
    "gradle": "x",
    "gradlew": "x",
    "kill": "9",
    "killall": "9",
    "ln": "f",
    "mv": "f",
    "npm": "f",
    "pkill": "9",
    "pnpm": "f",
    "podman rm": "f",
    "rm": "rRf",
}
