import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Grammars within files that are planted in besides those of the files.
enum PlantedInner {
  static var all: [PlantedTarget] { PlantedProfiles.targets + PlantedBlocks.targets + PlantedItems.targets }
}

/// Items of HEIC and AVIF with a text in each place of their data, their entries and their references, by kind.
enum PlantedItems {
  private static let text = PlantedPlaces.text

  static var targets: [PlantedTarget] {
    [([], "its primary picture"), ([.hdrGainMap], "its gain map")].flatMap { except, name in
      [
        (MediaFormat.heic, HEIFCanaryTests.still(HEIFCanaryTests.Canaries())),
        (.avif, HEIFCanaryTests.avif(HEIFCanaryTests.Canaries())),
      ].map { format, file in
        PlantedTarget(
          description: "items of \(format), \(name)",
          format: format,
          bytes: file.bytes,
          options: StripOptions(except: except),
          inner: { plants(file) },
          mayStay: { plant in
            guard plant.path.hasPrefix("hvc1") || plant.path.hasPrefix("av01") else { return false }
            return plant.operation.hasPrefix("within") || PlantedFiles.isCoded(plant.operation)
          }
        )
      }
    }
  }

  private static func plants(_ file: HEIFFixture) -> [PlantedPlaces.Plant] {
    var plants: [PlantedPlaces.Plant] = []
    func add(_ path: String, _ operation: String, _ edit: @escaping (inout HEIFFixture) -> Void) {
      plants.append(
        PlantedPlaces.Plant(path: path, operation: operation) {
          var changed = file
          edit(&changed)
          return changed.bytes
        }
      )
    }
    for (index, item) in file.items.enumerated() {
      let path = "\(item.type) \(item.number)"
      for (name, body) in PlantedPlaces.bodies {
        add(path, "behind, \(name)") { $0.items[index].data += body }
        add(path, "ahead, \(name)") { $0.items[index].data = body + $0.items[index].data }
        for place in [1, 2, 4, 8, 12, 20] where place < item.data.count {
          add(path, "within at \(place), \(name)") {
            $0.items[index].data.insert(contentsOf: body, at: place)
          }
        }
        for method in [0, 1] {
          add(path, "alone by method \(method), \(name)") {
            $0.items[index].data = body
            $0.items[index].method = method
          }
        }
        add(path, "content, \(name)") { $0.items[index].content += body }
      }
      add(path, "name") { $0.items[index].name = String(decoding: text, as: UTF8.self) }
      let coding: FileGrammar.Coding? = item.type == "hvc1" ? .hevc(4) : item.type == "av01" ? .av1 : nil
      for unit in coding.map({ PlantedUnits.of($0) }) ?? [] {
        add(path, "+ \(unit.name)") { $0.items[index].data += unit.bytes }
        add(path, "+ \(unit.name) ahead") { $0.items[index].data = unit.bytes + $0.items[index].data }
      }
    }
    let types = [
      "grid", "iovl", "iden", "tmap", "mime", "uri ", "Exif", "hvc1", "av01", "jpeg", "unci", "mski", "zzzz",
    ]
    for type in types {
      for (name, body) in PlantedPlaces.bodies {
        for reference in ["dimg", "auxl", "cdsc", "thmb", "prem", "base", "iovl", "fdel", "zzzz"] {
          for isFrom in [true, false] {
            add("+ \(type)", "by \(reference) \(isFrom ? "from" : "to") the first, \(name)") { file in
              file.items.append(.init(number: 90, type: type, data: body, content: Array("image/zz\0".utf8)))
              file.references.append((reference, isFrom ? 1 : 90, [isFrom ? 90 : 1]))
            }
          }
        }
      }
    }
    for type in Array(Set(BoxAllowList.picture.rules.values.flatMap { $0.keys }.map(\.displayName))).sorted()
      + [
        "udes", "altt", "aebr", "crtt", "mdft", "rloc", "uuid", "zzzz", "iccp", "cmin", "cmex", "iscl",
        "tols", "lsel",
      ]
    {
      for (name, body) in PlantedPlaces.bodies {
        for isEssential in [true, false] {
          add("property", "+ \(type) \(isEssential ? "needed" : "beside"), \(name)") { file in
            file.properties.append(isoBox(type, [0, 0, 0, 0] + body))
            let number = file.properties.count
            for index in file.items.indices {
              file.items[index].properties.append(isEssential ? -number : number)
            }
          }
        }
      }
    }
    return plants
  }
}
