package import AirPlay
internal import NIOCore

/// What apps change while a stream plays.
extension AirPlaySender {
    /// Discards what the receiver hasn't played, and sends nothing until ``resume()``.
    ///
    /// Returns when the receiver has discarded it.
    package func pause() async {
        guard !isPaused, !isEnding, result == nil else { return }
        isPaused = true
        pump?.cancel()
        guard let stream else { return }
        session?.flush(to: stream.position)
        sendNext()
        await waitForResponses()
    }

    /// Continues after ``pause()`` with the source's next samples.
    package func resume() {
        guard isPaused, !isEnding, result == nil else { return }
        isPaused = false
        guard stream != nil else { return }
        stream?.restart(at: MonotonicClock.now.advanced(byNanoseconds: Self.leadTime))
        sendSync(isFirst: true)
        sendDuePackets()
    }

    /// Sends what plays, and the volume. Returns when the receiver has responded.
    ///
    /// - Parameters:
    ///   - nowPlaying: The values that have changed. Its progress is ignored.
    ///   - progress: The frames that have been heard of what plays, and the number of its frames.
    package func send(_ nowPlaying: NowPlaying, progress: (elapsed: Int, duration: Int)? = nil) async {
        guard !isEnding, result == nil, let stream else { return }
        var nowPlaying = nowPlaying
        nowPlaying.progress = progress.map { elapsed, duration in
            let current = isPaused ? stream.position.timestamp : stream.position.timestamp &- configuration.latency
            let start = current &- UInt32(truncatingIfNeeded: elapsed)
            return PlaybackProgress(start: start, current: current, end: start &+ UInt32(truncatingIfNeeded: duration))
        }
        session?.set(nowPlaying, at: stream.position)
        sendNext()
        await waitForResponses()
    }
}
