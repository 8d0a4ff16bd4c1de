-- renew: owner, lease
local readable, record = read()
if not readable or not record or record.state ~= IN_PROGRESS or record.owner ~= ARGV[1] then
  return {'LOST'}
end
-- Kept for as long as before; -1 says for ever, and less than a millisecond is not for ever.
local remaining = redis.call('PTTL', KEYS[1])
record.lease_end = now() + tonumber(ARGV[2])
write(record, remaining < 0 and 0 or math.max(remaining, 1))
return {'RENEWED'}
