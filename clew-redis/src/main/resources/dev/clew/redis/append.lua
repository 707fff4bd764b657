-- 13 bytes, 14 '1' if an item has an id of its own, 15 position they were made for or '', 16… items
if expired() then wipe() end
local no = refused()
if no then return no end
if #ARGV < 16 then return {'OK', alive and n(version) or '0', '-', '-'} end
no = misplaced(ARGV[15], (version == 0 and now or version) + 1) or unregistered()
if no then return no end
touch()
reserve()
local first = version + 1
insert(true, first, 16, ARGV[13], ARGV[14])
version = version + #ARGV - 15
save()
return done(n(first), n(version))
