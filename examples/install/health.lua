-- Health of an XR for Argo CD, by its conditions Synced, Tethered and Ready.
-- Degraded: a person must act. Progressing: it comes to its end by itself, or the message says what it waits for.
local function condition(type)
  for _, one in ipairs((obj.status or {}).conditions or {}) do
    if one.type == type then return one end
  end
end

local function health(status, one, otherwise)
  local text = otherwise
  if one ~= nil then text = (one.reason or one.type) .. ": " .. (one.message or "") end
  return {status = status, message = text}
end

local synced, tethered, ready = condition("Synced"), condition("Tethered"), condition("Ready")
local acts = {Refusing = true, SameObject = true, LeftBehind = true}

if synced == nil then return health("Progressing", nil, "Crossplane has not reconciled it yet") end
if synced.reason == "ReconcilePaused" then return health("Suspended", synced) end
if synced.status ~= "True" then return health("Degraded", synced) end
if tethered ~= nil and tethered.status == "Unknown" then return health("Degraded", tethered) end
if tethered ~= nil and tethered.status == "False" then
  return health(acts[tethered.reason] and "Degraded" or "Progressing", tethered)
end
if ready ~= nil and ready.status == "True" then return health("Healthy", nil, "Ready") end
return health("Progressing", ready, "not ready yet")
