"""What runs `git push` on Windows: PowerShell, cmd and programs with a suffix. ⏎ is a newline, ␍ a return."""

POWERSHELL_RUNS = r"""
git push
git   push
git `⏎  push
git `␍⏎  push
cd x; git push
git status && git push || exit
git push 2>&1 | Out-Null
git push *> $null
git 2>$null push
$x = git push
$x=git push --force
$x += git push
$null = git push
[string]$x = git push
$a, $b = git push
$env:A = "1"; git push
(git push)
$(git push)
@(git push)
[void](git push)
& git push
& "git" push
& "C:\Program Files\Git\cmd\git.exe" push
. 'C:\git.exe' push
C:\tools\git.exe push
.\git.cmd push
git.exe push
& { git push }
if (Test-Path x) { git push } else { ls }
if (git push) { ls }
if ($x) { ls } elseif ($y) { git push }
foreach ($f in git push) { ls }
foreach ($f in $all) { git push $f }
for ($i = 0; $i -lt 3; $i++) { git push }
while ($true) { git push }
do { git push } while ($x)
try { git push } catch { ls } finally { ls }
switch ($x) { 1 { git push } }
function run { git push }
return git push
ls | % { git push $_ }
ls | ForEach-Object { git push }
ls | Where-Object { $_.x } | foreach { git push }
Measure-Command { git push }
Invoke-Command -ComputerName x -ScriptBlock { git push }
Start-Job { git push }
$h = @{ a = git push }
cmd /c git push
cmd /c 'cd x && git push'
bash -c "git push"
wsl git push
pwsh -c "git push"
ssh host git push
'a; it''s' ; git push
git stash drop stash@{0}{1}; git push
cd ${x}${y}; git push
"""

POWERSHELL_QUIET = r"""
# git push
ls # git push
<#⏎git push⏎#> ls
"git push"
'git' + 'push'
$x = 'git push'
$git = 1; $git
Write-Host "git push"
Write-Host 'a''; git push'
Write-Host "a`"; git push"
git commit -m "git push"
Select-String -Pattern "git push" x
@'⏎git push⏎'@ | Set-Content x
@"⏎git push⏎"@ | Set-Content x
@{git = 'push'}
$h = @{ 'git push' = 1 }
function git { ls }
param($git)
ls -Filter git push
$x -eq 'git push'
if ($x -eq 'git push') { ls }
ls > git push
ls `⏎ git push
1..3 | git
pwsh -File git push
powershell -EncodedCommand git push
Start-Process ls -WorkingDirectory git push
[Console]::WriteLine('git push')
'git push' | Out-File x
"""

RUNS = r"""
cmd /c git push
cmd.exe /C git push
cmd //c git push
cmd /d /s /c 'cd C:\x && git push'
cmd /c 'C:\tools\git.exe push'
cmd /c "C:\Program Files\Git\cmd\git.exe" push
cmd /c 'dir & git push'
cmd /k git push
pwsh -c "git push"
pwsh -NoProfile -Command git push
pwsh -NonInteractive -Com 'cd x; git push'
powershell.exe -NoP -ExecutionPolicy Bypass -Command "& { git push }"
powershell "git push"
echo git push | pwsh -c -
pwsh <<EOF⏎git push⏎EOF
'/c/Program Files/PowerShell/7/pwsh.exe' -c 'git push'
"C:\Program Files\Git\cmd\git.exe" push
'/c/Program Files/Git/cmd/git.exe' push
git.exe push
/mnt/c/git.exe push
gh.exe --version; git.cmd push
wsl.exe git push
bash.exe -c 'git push'
"""

QUIET = r"""
cmd
cmd /k
cmd /c dir git push
cmd git push
cmd.exe /c 'echo git push'
pwsh -File git push
pwsh -v git push
powershell -Command "Write-Host 'git push'"
powershell -enc git push
echo git.exe push
git.executable push
.exe push
"""
