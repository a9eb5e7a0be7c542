import Foundation
import HAPCatalog
import HomeKit
import HomeModel
import HubAPI
import Testing

struct CameraTests {
    @Test func aCameraHasTheProfileOfItsServices() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let services = [Devices.button] + Devices.cameraServices
        try hub.addAccessories([Devices.candidate("Doorbell", category: .videoDoorbell, services: services)], in: id)
        let app = try await App(on: hub)
        let doorbell = try app.accessory("Doorbell")
        let profile = try #require(doorbell.cameraProfiles?.first)
        #expect(doorbell.profiles == [profile])
        #expect(doorbell.cameraProfiles == [profile])
        #expect(doorbell.profiles.first === profile)
        #expect(profile.accessory === doorbell)
        #expect(profile.services == Array(doorbell.services.suffix(5)))
        #expect(profile.services.first?.serviceType == HMServiceTypeCameraRTPStreamManagement)
        #expect(profile.uniqueIdentifier == Home.cameraID(of: doorbell.uniqueIdentifier))
        #expect(!doorbell.services.map(\.uniqueIdentifier).contains(profile.uniqueIdentifier))
    }

    @Test func anAccessoryThatSendsNoPicturesHasNoProfile() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let radio = Devices.candidate("Radio", category: .speaker, services: Array(Devices.cameraServices.suffix(3)))
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        try hub.addAccessories([radio], in: id)
        let app = try await App(on: hub)
        for name in ["Lamp", "Radio"] {
            #expect(try app.accessory(name).profiles.isEmpty)
            #expect(try app.accessory(name).cameraProfiles == nil)
        }
    }

    @Test func whatACameraCanSetIsItsCharacteristics() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let camera = Devices.candidate("Camera", category: .ipCamera, services: Devices.cameraServices)
        try hub.addAccessories([camera], in: id)
        let app = try await App(on: hub)
        let accessory = try app.accessory("Camera")
        let profile = try #require(accessory.cameraProfiles?.first)
        let settings = try #require(profile.settingsControl)
        #expect(profile.settingsControl === settings)
        #expect(settings.nightVision === (try accessory.characteristic(HMCharacteristicTypeNightVision)))
        let angles = [
            settings.currentHorizontalTilt, settings.targetHorizontalTilt, settings.currentVerticalTilt,
            settings.targetVerticalTilt, settings.opticalZoom, settings.digitalZoom, settings.imageRotation,
            settings.imageMirroring,
        ]
        let types = [
            HMCharacteristicTypeCurrentHorizontalTilt, HMCharacteristicTypeTargetHorizontalTilt,
            HMCharacteristicTypeCurrentVerticalTilt, HMCharacteristicTypeTargetVerticalTilt,
            HMCharacteristicTypeOpticalZoom, HMCharacteristicTypeDigitalZoom, HMCharacteristicTypeImageRotation,
            HMCharacteristicTypeImageMirroring,
        ]
        #expect(angles.map { $0?.characteristicType } == types)
        #expect(angles.map { $0?.service } == types.map { _ in accessory.services[3] })

        let microphone = try #require(profile.microphoneControl)
        let speaker = try #require(profile.speakerControl)
        #expect(profile.microphoneControl === microphone)
        #expect(microphone.mute?.service?.serviceType == HMServiceTypeMicrophone)
        #expect(microphone.volume?.service?.serviceType == HMServiceTypeMicrophone)
        #expect(speaker.mute?.service?.serviceType == HMServiceTypeSpeaker)
        #expect(speaker.volume?.service?.serviceType == HMServiceTypeSpeaker)
        #expect(speaker.mute?.characteristicType == HMCharacteristicTypeMute)
        #expect(speaker.volume?.characteristicType == HMCharacteristicTypeVolume)

        async let written: Void? = speaker.volume?.writeValue(40)
        let (request, parameters) = try await app.request(HubMethods.write)
        let write = try #require(parameters.writes.first)
        #expect(write.characteristic == CharacteristicReference(accessory: accessory.uniqueIdentifier, iid: 142))
        let outcome = CharacteristicResults.Outcome(characteristic: write.characteristic, value: write.writtenValue)
        try request.reply(CharacteristicResults(outcomes: [outcome]))
        try await written
        #expect(speaker.volume?.value as? Int == 40)
    }

    @Test func aCameraHasNoControlOfWhatItLacks() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let services = [Devices.cameraServices[0], Devices.lampService()]
        try hub.addAccessories([Devices.candidate("Camera", category: .ipCamera, services: services)], in: id)
        let app = try await App(on: hub)
        let profile = try #require(try app.accessory("Camera").cameraProfiles?.first)
        #expect(profile.services.count == 1)
        #expect(profile.settingsControl == nil)
        #expect(profile.speakerControl == nil)
        #expect(profile.microphoneControl == nil)
        #expect(profile.streamControl == nil)
        #expect(profile.snapshotControl == nil)
    }

    @Test func theDelegateHearsThatACameraComesAndGoes() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let accessory = UUID()
        func candidate(_ services: [ServiceShape]) -> AccessoryCandidate {
            Devices.candidate("Camera", id: accessory, category: .ipCamera, services: services)
        }
        try hub.addAccessories([candidate([Devices.button])], in: id)
        let app = try await App(on: hub)
        let camera = try app.accessory("Camera")
        let both = candidate([Devices.button] + Devices.cameraServices)
        try hub.change(UpdateAccessories([both], server: accessory.uuidString), in: id)
        #expect(try await app.recorder.next() == "services 7")
        #expect(try await app.recorder.next() == "added profile of 5, true")
        let first = try #require(camera.cameraProfiles?.first)
        let services = first.services
        let speaker = try #require(first.speakerControl)

        let fewer = candidate([Devices.button] + Devices.cameraServices.dropFirst())
        try hub.change(UpdateAccessories([fewer], server: accessory.uuidString), in: id)
        #expect(try await app.recorder.next() == "services 6")
        #expect(camera.profiles.first === first)
        #expect(first.services.count == 4)

        try hub.change(UpdateAccessories([candidate([Devices.button])], server: accessory.uuidString), in: id)
        #expect(try await app.recorder.next() == "services 2")
        #expect(try await app.recorder.next() == "removed profile of 4, true")
        #expect(first.services == Array(services.dropFirst()))
        #expect(first.speakerControl === speaker)
        #expect(speaker.volume?.service == services.last)

        try hub.change(UpdateAccessories([both], server: accessory.uuidString), in: id)
        #expect(try await app.recorder.next() == "services 7")
        #expect(try await app.recorder.next() == "added profile of 5, true")
        let second = try #require(camera.cameraProfiles?.first)
        #expect(second !== first)
        #expect(second.uniqueIdentifier == first.uniqueIdentifier)
        #expect(first.services.count == 4)
    }

    @Test func aCameraThatIsRemovedStaysWhatItWas() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let camera = Devices.candidate("Camera", category: .ipCamera, services: Devices.cameraServices)
        let ids = try hub.addAccessories([camera], in: id)
        let app = try await App(on: hub)
        let accessory = try app.accessory("Camera")
        let profile = try #require(accessory.cameraProfiles?.first)
        try hub.change(RemoveAccessory(ids[0]), in: id)
        #expect(try await app.recorder.next() == "removed accessory Camera")
        #expect(accessory.profiles == [profile])
        #expect(profile.services.count == 5)
    }
}
