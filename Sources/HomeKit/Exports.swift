// An app that imports only HomeKit gets the same modules as from Apple's HomeKit.
@_exported public import CoreLocation
@_exported public import Dispatch
@_exported public import Foundation
