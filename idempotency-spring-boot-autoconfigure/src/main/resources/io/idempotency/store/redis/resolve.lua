-- resolve: attempt, state, retention, outcome (only when completed)
local readable, record = read()
if not readable then
  return UNREADABLE
end
if not record or record.state ~= IN_DOUBT or record.attempt ~= tonumber(ARGV[1]) then
  return {'UNCHANGED'}
end
keep(tonumber(ARGV[3]))
record.state = tonumber(ARGV[2])
record.owner = NOBODY
write(record)
if ARGV[4] then
  redis.call('HSET', KEYS[1], 'outcome', ARGV[4])
end
return {'RESOLVED'}
