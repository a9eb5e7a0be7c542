// An app that says `import HomeKit` and nothing else gets what it gets from Apple's module.
@_exported public import CoreLocation
@_exported public import Dispatch
@_exported public import Foundation
