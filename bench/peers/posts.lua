-- Makes courses: the body in a file (the first argument behind `--`), with a name of its own in the place of the second.
-- Each has an idempotency key, which Lyceum heeds and everybody else passes over.
local before, after
local made = 0

function init(arguments)
    math.randomseed(os.time())
    local file = assert(io.open(arguments[1]))
    local body = file:read("*a")
    file:close()
    local first, last = body:find(arguments[2], 1, true)
    before, after = body:sub(1, first - 1), body:sub(last + 1)
    wrk.method = "POST"
    wrk.headers["content-type"] = "application/json"
end

function request()
    made = made + 1
    wrk.headers["idempotency-key"] =
        string.format("%08x%08x-bench", math.random(0, 4294967295), math.random(0, 4294967295))
    return wrk.format(nil, nil, nil, before .. "Course of the load " .. made .. after)
end
