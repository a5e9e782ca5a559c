-- Asks for one of the paths in a file (the argument behind `--`), at random.
local requests = {}

function init(arguments)
    for path in io.lines(arguments[1]) do
        requests[#requests + 1] = wrk.format("GET", path)
    end
end

function request()
    return requests[math.random(#requests)]
end
