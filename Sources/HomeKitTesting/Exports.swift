// A test that imports only HomeKitTesting also gets Apple's API and the types for describing accessories.
@_exported public import AccessorySimulator
@_exported public import HAPCatalog
@_exported public import HAPServer
@_exported public import HomeKit
