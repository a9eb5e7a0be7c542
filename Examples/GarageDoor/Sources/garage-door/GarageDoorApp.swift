import Foundation
import GarageDoor

/// The program: shows the tiles, again whenever one of them changes, and does what is typed in.
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

    /// What is typed in, line by line, read on a thread of its own.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
