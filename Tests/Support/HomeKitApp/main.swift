import HomeKit

// An app in the style of Apple's systems: a store with the home manager, delegates and completion handlers. It reads
// commands from standard input and reports events to standard output, one JSON object per line, so that tests can run
// several of them as separate processes.

let store = AppStore()
let commands = CommandReader(store: store)
commands.start()
RunLoop.main.run()
