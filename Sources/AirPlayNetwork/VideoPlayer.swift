package import AirPlay

/// A player of addresses.
package protocol VideoPlayer: Sendable {
    /// Plays an address in place of the current one. Returns whether that is possible.
    func play(_ address: MediaAddress, from start: VideoRequest.Start) -> Bool
    /// Continues at a position in seconds. Returns whether that is possible.
    func seek(to seconds: Double) -> Bool
    /// Pauses or continues.
    func pause(_ isPaused: Bool)
    /// Stops.
    func stop()
    /// What it does.
    var status: VideoStatus { get }
}
