-- claim: owner, fingerprint, lease, lifetime (0: for ever), hold
local owner = ARGV[1]
local fingerprint = ARGV[2]
local lease = tonumber(ARGV[3])
local lifetime = tonumber(ARGV[4])
local hold = tonumber(ARGV[5])

local readable, record = read()
if not readable then
  return UNREADABLE
end

local function grant(attempt, bound, takeover)
  write({
    exists = record ~= nil,
    state = IN_PROGRESS,
    hold = hold,
    bound = bound,
    attempt = attempt,
    lease_end = now() + lease,
    owner = owner,
    fingerprint = fingerprint,
  }, lifetime)
  local reply = {'GRANTED', attempt, takeover}
  if bound == 1 then
    for _, fieldOrStep in ipairs(steps()) do
      table.insert(reply, fieldOrStep)
    end
  end
  return reply
end

if not record then
  return grant(1, 0, 0)
end
if record.state == IN_PROGRESS and record.owner == owner then
  return grant(record.attempt, record.bound, 0)
end
if record.fingerprint ~= fingerprint and (record.state ~= RETRYABLE or record.bound == 1) then
  return {'MISMATCH'}
end
if record.state == COMPLETED then
  return {'COMPLETED', record.attempt, redis.call('HGET', KEYS[1], 'outcome') or ''}
end
if record.state == IN_DOUBT then
  return {'IN_DOUBT', record.attempt}
end
if record.state == RETRYABLE then
  return grant(record.attempt + 1, record.bound, 0)
end

local remaining = record.lease_end - now()
if remaining > 0 then
  return {'IN_PROGRESS', remaining}
end
if record.hold == 1 then
  record.state = IN_DOUBT
  write(record, 0)
  return {'IN_DOUBT', record.attempt}
end
return grant(record.attempt + 1, record.bound, 1)
