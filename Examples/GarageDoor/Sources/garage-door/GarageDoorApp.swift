import Foundation
import GarageDoor

/// The program: shows the tiles, updates them when they change, and runs commands.
@main
struct GarageDoorApp {
    @MainActor
    static func main() async {
        let list = TileList()
        let screen = Screen(list)
        var shown = ""
        list.onChange = {
            guard screen.tiles != shown else { return }
            shown = screen.tiles
            show(shown)
        }
        for await line in lines() {
            guard let answer = await screen.run(line) else { return }
            show(answer)
        }
    }

    private static func show(_ text: String) {
        print("\n\(text)\n> ", terminator: "")
        fflush(nil)
    }

    /// The lines of standard input, read on a separate thread.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
