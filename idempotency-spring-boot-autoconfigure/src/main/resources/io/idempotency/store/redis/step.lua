-- step: owner, field, what is recorded of the step (empty: forget it)
local readable, record = read()
if not readable then
  return UNREADABLE
end
if not record or record.state ~= IN_PROGRESS or record.owner ~= ARGV[1] then
  return {'LOST'}
end
-- Kept for as long as before; -1 says for ever, and less than a millisecond is not for ever.
local remaining = redis.call('PTTL', KEYS[1])
record.bound = 1
write(record, remaining < 0 and 0 or math.max(remaining, 1))
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[2])
else
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
end
return {'OWNED'}
