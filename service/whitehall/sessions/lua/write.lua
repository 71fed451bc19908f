#!lua
-- One write of a game: all of it or nothing, and harmless when it runs again.
--
-- KEYS  the game (hash), its log (list)
-- ARGV  1 expected version   2 new version   3 snapshot   4 log entry   5 seconds to live
--       6 holder   7 generation of the caller's token   8 new generations, or nothing
--       9 request key, or nothing   10 request digest   11 "1" if a revoked token's request may be recognised
--
-- A version is 8 bytes of write id and 4 bytes of revision. A request record is key (8), digest (4), revision (3).
-- Without flags in the first line the server runs this on a primary that takes writes, or not at all.
local game, log = KEYS[1], KEYS[2]
local expected, version, holder, key = ARGV[1], ARGV[2], ARGV[6], ARGV[9]
local write_id, revision = version:sub(1, 8), struct.unpack('>I4', version, 9)

local held = redis.call('HMGET', game, 'v', 'g', holder)
local current, generations, ring = held[1], held[2], held[3] or ''
if not current then
  return {'missing'}
end

local function refuse(result)
  return {result, current, redis.call('HGET', game, 's'), generations, redis.call('PEXPIRETIME', game)}
end

-- A repeated answer still has to be a write of this connection: a WAIT behind it then waits for the first one too.
local function repeated(...)
  redis.call('PEXPIREAT', game, redis.call('PEXPIRETIME', game))
  return {...}
end

-- This very write, sent again because its answer was lost. It comes before everything else: it was judged when it was
-- accepted, and it may itself have revoked its caller's token or recorded its request.
if current ~= expected then
  local written = redis.call('LINDEX', log, revision - 1)
  if written and written:sub(1, 8) == write_id then
    return repeated('accepted')
  end
end

local record
for at = 1, key == '' and 0 or #ring, 15 do
  if ring:sub(at, at + 7) == key then
    record = ring:sub(at + 8, at + 14)
    break
  end
end
local authorised = generations:sub(4 * holder + 1, 4 * holder + 4) == ARGV[7]
if record and record:sub(1, 4) == ARGV[10] and (authorised or ARGV[11] == '1') then
  local made = struct.unpack('>I3', record, 5)
  return repeated('duplicate', made)
end
if not authorised then
  return refuse('revoked')
end
if record then
  return {'reused'}
end
if current ~= expected then
  return refuse('conflict')
end
if redis.call('LLEN', log) ~= revision - 1 then
  return redis.error_reply('CORRUPT the log of a game is not as long as its revision')
end

local fields = {'v', version, 's', ARGV[3]}
if ARGV[8] ~= '' then
  fields[#fields + 1], fields[#fields + 2] = 'g', ARGV[8]
end
if key ~= '' then
  fields[#fields + 1], fields[#fields + 2] = holder, (key .. ARGV[10] .. struct.pack('>I3', revision) .. ring):sub(1, 120)
end
redis.call('HSET', game, unpack(fields))
redis.call('RPUSH', log, write_id .. ARGV[4])
redis.call('EXPIRE', game, ARGV[5])
redis.call('EXPIRE', log, ARGV[5])
redis.call('SPUBLISH', game, revision)
return {'accepted'}
