-- 13 bytes, 14 '1' if an item has an id of its own, 15 position they were made for or '', 16 times of
-- their own or '', 17… items
if expired() then wipe() end
local no = refused()
if no then return no end
if #ARGV < 17 then return {'OK', alive and n(version) or '0', '-', '-'} end
local times = timesOf(ARGV[16], newestTime())
no = misplaced(ARGV[15], (version == 0 and now or version) + 1) or unregistered(times)
if no then return no end
touch(times)
reserve()
local first = version + 1
insert(true, first, 17, ARGV[13], ARGV[14], times)
version = version + #ARGV - 16
save()
return done(n(first), n(version))
