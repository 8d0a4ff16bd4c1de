-- find
local readable, record = read()
if not readable then
  return UNREADABLE
end
if not record then
  return {'NONE'}
end
local remaining = 0
if record.state == IN_PROGRESS then
  remaining = record.lease_end - now()
end
return {'FOUND', record.state, record.attempt, remaining}
