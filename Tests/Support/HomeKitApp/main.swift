import HomeKit

// An app as its author would write it for Apple's systems: a store with the one manager, delegates, completions. It is
// driven by commands on standard input, one JSON object a line, and tells what happens on standard output likewise, so
// that tests can run several of it as processes of their own.

let store = AppStore()
let commands = CommandReader(store: store)
commands.start()
RunLoop.main.run()
