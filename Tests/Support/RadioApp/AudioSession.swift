// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// From Apple's article about AirPlay in apps.
import AVFoundation

public func configureLongFormAudio() throws {
    let audioSession = AVAudioSession.sharedInstance()
    try audioSession.setCategory(
        .playback,
        mode: .default,
        policy: .longFormAudio
    )
}
