-- resolve-step: attempt, field, result
local readable, record = read()
if not readable then
  return UNREADABLE
end
local recorded = redis.call('HGET', KEYS[1], ARGV[2])
if not record or record.state ~= IN_DOUBT or record.attempt ~= tonumber(ARGV[1])
    or not recorded or string.byte(recorded, 2) ~= STEP_RUNNING then
  return {'UNCHANGED'}
end
-- A doubt is kept for ever; said first, for the time when memory is full.
keep(0)
redis.call('HSET', KEYS[1], ARGV[2],
  string.sub(recorded, 1, 1) .. string.char(STEP_DONE) .. string.sub(recorded, 3) .. ARGV[3])
return {'RESOLVED'}
