package import HAP

/// The requests for video that a sender sends.
package enum VideoQuery {
    /// The request that plays an address, in words.
    package static let playName = "POST \(VideoPath.play)"

    /// Plays an address from a position in seconds.
    package static func play(_ address: MediaAddress, from seconds: Double = 0, host: String) -> HTTPRequest {
        var text = "\(VideoKey.location): \(address)\n\(VideoKey.startFraction): 0.0\n"
        if seconds > 0 { text += "\(VideoKey.startSeconds): \(seconds)\n" }
        return HTTPRequest(
            .post,
            VideoPath.play,
            host: host,
            contentType: StreamParameters.contentType,
            body: Array(text.utf8)
        )
    }

    /// Pauses, or continues.
    package static func pause(_ isPaused: Bool, host: String) -> HTTPRequest {
        HTTPRequest(.post, "\(VideoPath.rate)?value=\(isPaused ? "0.000000" : "1.000000")", host: host)
    }

    /// Continues at a position in seconds.
    package static func seek(to seconds: Double, host: String) -> HTTPRequest {
        HTTPRequest(.post, "\(VideoPath.scrub)?position=\(seconds)", host: host)
    }

    /// Asks what plays.
    package static func status(host: String) -> HTTPRequest { HTTPRequest(.get, VideoPath.playbackInfo, host: host) }

    /// Stops.
    package static func stop(host: String) -> HTTPRequest { HTTPRequest(.post, VideoPath.stop, host: host) }

    /// Turns the connection around, so that the receiver sends events on it.
    package static func reverse(host: String) -> HTTPRequest {
        var request = HTTPRequest(.post, VideoPath.reverse, host: host)
        request.headers.add(VideoHeader.upgrade, VideoHeader.reversed)
        request.headers.add(HTTPHeaderName.connection, VideoHeader.upgrade)
        request.headers.add(VideoHeader.purpose, VideoHeader.eventPurpose)
        return request
    }
}
