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
write(record, tonumber(ARGV[3]), ARGV[4])
return {'RESOLVED'}
