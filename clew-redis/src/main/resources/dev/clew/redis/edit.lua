-- 13 position, 14 bytes, 15 item
if expired() then wipe() end
local no = refused()
if no then return no end
local before = alive and call('ZRANGEBYSCORE', I, ARGV[13], ARGV[13])[1]
if not before then return {'MISSING', ARGV[13]} end
touch()
reserve()
leave(before)
call('ZREM', I, before)
local added = match(before, '^%S+ (%d+) ') or n(updated)
call('ZADD', I, ARGV[13], ARGV[13] .. ' ' .. added .. ' ' .. ARGV[15])
local key = match(ARGV[15], '^%S+ (%S+) ')
if key ~= '-' then call('ZADD', K, 0, key .. ':' .. ARGV[13]) end
items = items + 1
bytes = bytes + tonumber(ARGV[14])
change('edited', ARGV[13])
save()
return done(ARGV[13], ARGV[13])
