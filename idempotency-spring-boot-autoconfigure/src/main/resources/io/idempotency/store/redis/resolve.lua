-- resolve: attempt, state, retention, outcome (only when completed)
local readable, record = read()
if not readable then
  return UNREADABLE
end
if not record or record.state ~= IN_DOUBT or record.attempt ~= tonumber(ARGV[1]) then
  return {'UNCHANGED'}
end
record.state = tonumber(ARGV[2])
record.owner = NOBODY
if record.state == RETRYABLE then
  -- The operator has found that they may be run.
  local recorded = steps()
  for index = 1, #recorded, 2 do
    if string.byte(recorded[index + 1], 2) == STEP_RUNNING then
      redis.call('HDEL', KEYS[1], recorded[index])
    end
  end
end
write(record, tonumber(ARGV[3]), ARGV[4])
return {'RESOLVED'}
