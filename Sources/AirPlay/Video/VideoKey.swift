/// The names in the property lists of video.
enum VideoKey {
    static let location = "Content-Location"
    static let startFraction = "Start-Position"
    static let startSeconds = "Start-Position-Seconds"
    static let duration = "duration"
    static let position = "position"
    static let rate = "rate"
    static let readyToPlay = "readyToPlay"
    static let loadedTimeRanges = "loadedTimeRanges"
    static let seekableTimeRanges = "seekableTimeRanges"
    static let category = "category"
    static let state = "state"
}

/// The paths of the requests for video.
enum VideoPath {
    static let serverInfo = "/server-info"
    static let play = "/play"
    static let scrub = "/scrub"
    static let rate = "/rate"
    static let stop = "/stop"
    static let playbackInfo = "/playback-info"
    static let setProperty = "/setProperty"
    static let getProperty = "/getProperty"
    static let reverse = "/reverse"
    static let event = "/event"
}

/// The header fields of a connection that is turned around.
enum VideoHeader {
    static let upgrade = "Upgrade"
    static let reversed = "PTTH/1.0"
    static let purpose = "X-Apple-Purpose"
    static let eventPurpose = "event"
}
