// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
import HomeKit
import Testing

// Camera screens as in real apps, without Apple's UIKit view that shows the picture.

protocol CameraScreenDelegate: AnyObject {
    func cameraScreen(_ screen: CameraScreen, didShow source: HMCameraSource?)
}

class CameraScreen: NSObject {
    var accessory: HMAccessory? {
        didSet { cameraProfile = accessory?.cameraProfiles?.first }
    }
    var cameraProfile: HMCameraProfile? {
        didSet {
            cameraProfile?.streamControl?.delegate = self
            cameraProfile?.snapshotControl?.delegate = self
        }
    }
    weak var delegate: CameraScreenDelegate?
    var source: HMCameraSource?
    var states: [HMCameraStreamState] = []
    var errors: [String] = []

    func cameras(of home: HMHome) -> [HMAccessory] {
        home.accessories.filter { accessory in
            accessory.profiles.contains { $0 is HMCameraProfile }
                || accessory.category.categoryType == HMAccessoryCategoryTypeIPCamera
        }
    }

    func firstCamera(of accessory: HMAccessory) -> HMCameraProfile? {
        for profile in accessory.profiles {
            if let camera = profile as? HMCameraProfile { return camera }
        }
        return nil
    }

    @discardableResult
    func start() -> Bool {
        guard let streamControl = cameraProfile?.streamControl else { return false }
        if streamControl.streamState == .notStreaming { streamControl.startStream() }
        cameraProfile?.snapshotControl?.takeSnapshot()
        return true
    }

    func stop() {
        switch cameraProfile?.streamControl?.streamState {
        case .streaming?, .starting?: cameraProfile?.streamControl?.stopStream()
        case .stopping?, .notStreaming?, nil: break
        }
        if let snapshot = cameraProfile?.snapshotControl?.mostRecentSnapshot {
            source = snapshot
            errors.append("\(snapshot.captureDate) \(snapshot.aspectRatio)")
        }
    }

    func toggleSound() {
        guard let stream = cameraProfile?.streamControl?.cameraStream else { return }
        let setting: HMCameraAudioStreamSetting =
            stream.audioStreamSetting == .muted ? .bidirectionalAudioAllowed : .muted
        stream.updateAudioStreamSetting(setting) { error in
            if let error = error { self.errors.append(error.localizedDescription) }
        }
        cameraProfile?.microphoneControl?.mute?.writeValue(setting == .muted) { _ in }
    }

    func setVolume(_ volume: Float) {
        guard let speaker = cameraProfile?.speakerControl, let characteristic = speaker.volume else { return }
        let maximum = characteristic.metadata?.maximumValue?.floatValue ?? 100
        characteristic.writeValue(NSNumber(value: volume * maximum)) { error in
            print(error?.localizedDescription ?? "set")
        }
    }

    func describe() -> [String: Any] {
        [
            "id": cameraProfile?.uniqueIdentifier.uuidString as Any,
            "services": cameraProfile?.services.map { $0.name } ?? [],
            "accessory": cameraProfile?.accessory?.name ?? "",
            "nightVision": cameraProfile?.settingsControl?.nightVision?.value as? Bool ?? false,
            "rotation": cameraProfile?.settingsControl?.imageRotation?.value as? Int ?? 0,
        ]
    }
}

extension CameraScreen: HMCameraStreamControlDelegate {
    func cameraStreamControlDidStartStream(_ cameraStreamControl: HMCameraStreamControl) {
        source = cameraStreamControl.cameraStream
        states.append(cameraStreamControl.streamState)
        delegate?.cameraScreen(self, didShow: cameraStreamControl.cameraStream)
    }

    func cameraStreamControl(_ cameraStreamControl: HMCameraStreamControl, didStopStreamWithError error: Error?) {
        if let error = error { errors.append(error.localizedDescription) }
    }
}

extension CameraScreen: HMCameraSnapshotControlDelegate {
    func cameraSnapshotControl(
        _ cameraSnapshotControl: HMCameraSnapshotControl,
        didTake snapshot: HMCameraSnapshot?,
        error: Error?
    ) {
        if snapshot?.captureDate == nil { errors.append(error?.localizedDescription ?? "no picture") }
        source = snapshot
    }

    func cameraSnapshotControlDidUpdateMostRecentSnapshot(_ cameraSnapshotControl: HMCameraSnapshotControl) {
        source = cameraSnapshotControl.mostRecentSnapshot
    }
}

extension CameraScreen: HMAccessoryDelegate {
    func accessory(_ accessory: HMAccessory, didAdd profile: HMAccessoryProfile) {
        if let camera = profile as? HMCameraProfile { cameraProfile = camera }
    }

    func accessory(_ accessory: HMAccessory, didRemove profile: HMAccessoryProfile) {
        if profile == cameraProfile { cameraProfile = nil }
    }
}

@Suite struct CameraCodeTests {
    @Test func aScreenWithoutACameraShowsNothing() {
        let screen = CameraScreen()
        #expect(!screen.start())
        screen.stop()
        screen.toggleSound()
        screen.setVolume(0.5)
        #expect(screen.source == nil && screen.errors.isEmpty && screen.states.isEmpty)
        #expect(screen.describe()["rotation"] as? Int == 0)
    }

    @Test func statesAndSettingsHaveApplesNumbers() {
        let states: [HMCameraStreamState] = [.starting, .streaming, .stopping, .notStreaming]
        #expect(states.map(\.rawValue) == [1, 2, 3, 4])
        let settings: [HMCameraAudioStreamSetting] = [.muted, .incomingAudioAllowed, .bidirectionalAudioAllowed]
        #expect(settings.map(\.rawValue) == [1, 2, 3])
    }
}
