-- The layout of a record: precedes every verb.
--
-- A record is one hash. Its key expires when the record does.
--   header   the fields below, packed; short enough for the compact encoding of small hashes
--   outcome  what was recorded, while completed
--   step:*   the recorded steps, while the record lives: the digest of name and item, and what is recorded. The first byte
--            of that says how it is laid out, and the second how far the step came: 1 running, 2 done
local LAYOUT = 1
local HEADER = '>BBBBI4I6c16c33'
local HEADER_LENGTH = 63

local IN_PROGRESS = 1
local COMPLETED = 2
local RETRYABLE = 3
local IN_DOUBT = 4

local STEP_RUNNING = 1
local STEP_DONE = 2

-- The owner of a record that an operator has resolved.
local NOBODY = string.rep('\0', 16)

local UNREADABLE = {'UNREADABLE'}

-- Milliseconds on the server's clock.
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Returns whether the key can be read as a record, and the record; nil where there is none.
local function read()
  local header = redis.pcall('HGET', KEYS[1], 'header')
  if not header then
    return redis.call('EXISTS', KEYS[1]) == 0, nil
  end
  if type(header) ~= 'string' or #header ~= HEADER_LENGTH then
    return false, nil
  end
  local layout, state, hold, bound, attempt, lease_end, owner, fingerprint = struct.unpack(HEADER, header)
  if layout ~= LAYOUT or state < IN_PROGRESS or state > IN_DOUBT then
    return false, nil
  end
  return true, {
    exists = true,
    state = state,             -- as above
    hold = hold,               -- 1: in doubt once the lease is over
    bound = bound,             -- 1: steps are recorded, so the fingerprint binds in every state
    attempt = attempt,
    lease_end = lease_end,     -- milliseconds on the server's clock
    owner = owner,             -- the newest holder
    fingerprint = fingerprint,
  }
end

local function keep(milliseconds)
  if milliseconds == 0 then
    redis.call('PERSIST', KEYS[1])
  else
    redis.call('PEXPIRE', KEYS[1], milliseconds)
  end
end

-- Writes a record, to be kept for so many milliseconds from now on; 0 is for ever. The outcome is optional.
local function write(record, milliseconds, outcome)
  -- Before any other write: when memory is full, Redis refuses writes that take memory unless the script has written
  -- before. A new record is refused.
  if record.exists then
    keep(milliseconds)
  end
  redis.call('HSET', KEYS[1], 'header', struct.pack(HEADER, LAYOUT, record.state, record.hold, record.bound,
    record.attempt, record.lease_end, record.owner, record.fingerprint))
  if outcome then
    redis.call('HSET', KEYS[1], 'outcome', outcome)
  end
  -- And after them: time that was over at once has deleted the key, and what was written then would stay for ever.
  keep(milliseconds)
end

-- The fields of the recorded steps, each followed by what is recorded.
local function steps()
  local recorded = {}
  local fields = redis.call('HGETALL', KEYS[1])
  for index = 1, #fields, 2 do
    if string.sub(fields[index], 1, 5) == 'step:' then
      table.insert(recorded, fields[index])
      table.insert(recorded, fields[index + 1])
    end
  end
  return recorded
end

-- Ends an attempt, or says that it has ended so before.
local function finish(owner, state, retention, outcome)
  local readable, record = read()
  if not readable then
    return UNREADABLE
  end
  if not record or record.owner ~= owner then
    return {'LOST'}
  end
  if record.state == state then
    return {'OWNED'}
  end
  if record.state ~= IN_PROGRESS and record.state ~= IN_DOUBT then
    return {'LOST'}
  end
  record.state = state
  write(record, retention, outcome)
  return {'OWNED'}
end
