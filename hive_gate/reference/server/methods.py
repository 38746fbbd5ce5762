"""The methods that codex app-server 0.142.5 knows, in the order in which it lists them."""

from __future__ import annotations

_NAMES = """
initialize
thread/start thread/resume thread/fork thread/archive thread/delete thread/unsubscribe
thread/increment_elicitation thread/decrement_elicitation thread/name/set
thread/goal/set thread/goal/get thread/goal/clear
thread/metadata/update thread/settings/update thread/memoryMode/set memory/reset thread/unarchive
thread/compact/start thread/shellCommand thread/approveGuardianDeniedAction
thread/backgroundTerminals/clean thread/backgroundTerminals/list thread/backgroundTerminals/terminate
thread/rollback thread/list thread/search thread/loaded/list thread/read
thread/turns/list thread/turns/items/list thread/inject_items
skills/list skills/extraRoots/set hooks/list marketplace/add marketplace/remove marketplace/upgrade
plugin/list plugin/installed plugin/read plugin/skill/read
plugin/share/save plugin/share/updateTargets plugin/share/list plugin/share/checkout plugin/share/delete
app/list fs/readFile fs/writeFile fs/createDirectory fs/getMetadata fs/readDirectory fs/remove fs/copy
fs/watch fs/unwatch skills/config/write plugin/install plugin/uninstall
turn/start turn/steer turn/interrupt
thread/realtime/start thread/realtime/appendAudio thread/realtime/appendText thread/realtime/appendSpeech
thread/realtime/stop thread/realtime/listVoices review/start
model/list modelProvider/capabilities/read experimentalFeature/list permissionProfile/list
experimentalFeature/enablement/set
remoteControl/enable remoteControl/disable remoteControl/status/read remoteControl/pairing/start
remoteControl/pairing/status remoteControl/client/list remoteControl/client/revoke
collaborationMode/list mock/experimentalMethod environment/add
mcpServer/oauth/login config/mcpServer/reload mcpServerStatus/list mcpServer/resource/read mcpServer/tool/call
windowsSandbox/setupStart windowsSandbox/readiness
account/login/start account/login/cancel account/logout account/rateLimits/read
account/rateLimitResetCredit/consume account/usage/read account/workspaceMessages/read
account/sendAddCreditsNudgeEmail feedback/upload
command/exec command/exec/write command/exec/terminate command/exec/resize
process/spawn process/writeStdin process/kill process/resizePty
config/read externalAgentConfig/detect externalAgentConfig/import externalAgentConfig/import/readHistories
config/value/write config/batchWrite configRequirements/read account/read
getConversationSummary gitDiffToRemote getAuthStatus
fuzzyFileSearch fuzzyFileSearch/sessionStart fuzzyFileSearch/sessionUpdate fuzzyFileSearch/sessionStop
"""

METHODS: tuple[str, ...] = tuple(_NAMES.split())
"""Every method; anything else is an unknown variant."""

EXPERIMENTAL = frozenset({"thread/turns/list", "thread/turns/items/list"})
"""The methods offered here that need the experimental capability as a whole."""
