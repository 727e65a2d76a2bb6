// SPDX-License-Identifier: Apache-2.0
// The numbers that the grid of experts shows: rows are layers, columns are experts. ExpertMap draws them, ExpertTable
// lists them, and the exported files contain them: all views read this one object. It knows nothing of traces;
// ActivityGrid fills it. Lives on the GUI thread.
#pragma once

#include "experts/expert_index.h"
#include "session/layer_info.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::app {

class ExpertGrid : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("ActivityGrid has one")
    Q_PROPERTY(int layers READ layers NOTIFY shapeChanged)
    Q_PROPERTY(int experts READ experts NOTIFY shapeChanged)
    Q_PROPERTY(bool dense READ dense NOTIFY shapeChanged)
    Q_PROPERTY(bool recurrent READ recurrent NOTIFY layersChanged)
    Q_PROPERTY(bool sharedExperts READ sharedExperts NOTIFY layersChanged)
    // The legend. While an answer is written, views read it again only when refreshLegend() is called.
    Q_PROPERTY(Kind kind READ kind NOTIFY legendChanged)
    Q_PROPERTY(double most READ most NOTIFY legendChanged)
    Q_PROPERTY(bool marked READ marked NOTIFY legendChanged)
    Q_PROPERTY(bool onDevice READ onDevice NOTIFY legendChanged)
    /// The texts at both ends of the scale of colours, two; both are empty for Places, which have no scale.
    Q_PROPERTY(QStringList scaleEnds READ scaleEnds NOTIFY legendChanged)
  public:
    enum Kind {
        Weights,    ///< router weights of one token; 0: not used
        Counts,     ///< number of tokens that used each expert
        Places,     ///< the engine::ExpertState of each expert
        Difference, ///< -1..1: the second run's share minus the first one's
        Waits,      ///< seconds that each layer of a model without experts waited for the disk, for one token
    };
    Q_ENUM(Kind)

    /// The content of a grid in one mode. Outside of this class its name is GridContent.
    struct Content {
        using Kind = ExpertGrid::Kind;
        Kind kind = Counts;
        std::vector<int64_t> expertsOfLayer{}; ///< [layers]
        std::vector<double> values{};          ///< [sum of expertsOfLayer], layer by layer; for Places empty:
        std::vector<uint8_t> places{};         ///< the same shape, bytes as the session writes them; else empty
        std::vector<uint8_t>
            waited{};    ///< the same shape, or empty: 1 for an expert that was not there when it was needed
        double most = 0; ///< the value that is drawn strongest; 0: nothing is drawn
        // One token whose experts light up when it arrives. Without one:
        int token = -1;              ///< its position
        std::vector<uint8_t> hits{}; ///< the same shape as `waited`, or empty: 1 for an expert of it that was there

        bool operator==(const Content&) const = default;
    };

    explicit ExpertGrid(QObject* parent = nullptr) : QObject(parent) {}

    /// Shows this content. Signals are emitted only for what differs; shapeChanged comes before changed. Content of
    /// another kind or shape has another legend at once.
    void setContent(Content content);
    /// Has views read the legend again if it differs: its words change with every token, and nobody reads that fast.
    void refreshLegend();
    const Content& content() const { return content_; }

    /// Takes what is known of the layers besides their experts: nothing if the answer's model is not open.
    void setLayers(std::vector<engine::LayerInfo> layers);
    bool recurs(int layer) const; ///< the layer keeps a state instead of keys and values
    bool recurrent() const;       ///< at least one layer does
    bool sharedExperts() const;   ///< at least one layer has a part that every token uses
    /// The layer has no experts although others have: its one cell spans the row, and has a value only for Places.
    bool single(int layer) const;
    QString layerText(int layer) const; ///< "Layer 3", or "Layer 3 (delta rule)" if the layers differ in that

    int layers() const { return static_cast<int>(content_.expertsOfLayer.size()); }
    int experts() const { return experts_; } ///< experts of the layer that has most: the number of columns
    Kind kind() const { return content_.kind; }
    double most() const { return content_.most; }
    bool dense() const { return layers() > 0 && experts_ == 1; } ///< the model has no experts
    bool marked() const;   ///< a cell was not there when it was needed, and has a corner that says so
    bool onDevice() const; ///< Places: an expert is in a GPU's memory, which has a colour of its own
    QStringList scaleEnds() const;

    Q_INVOKABLE bool has(int layer, int expert) const;
    Q_INVOKABLE double value(int layer, int expert) const; ///< 0 if there is no such cell
    bool waited(int layer, int expert) const;
    bool hit(int layer, int expert) const;
    // [experts of the layer], or empty; valid until the content changes.
    std::span<const double> values(int layer) const;
    std::span<const uint8_t> places(int layer) const;
    std::span<const uint8_t> waited(int layer) const;
    /// The value as text in the user's language: "0.42", "12", "in memory", "3.1 points more".
    Q_INVOKABLE QString valueText(int layer, int expert) const;
    /// "Layer 3, expert 17: 12 of 40 tokens". Layers and experts are counted from 0, as the trace counts them.
    Q_INVOKABLE QString cellText(int layer, int expert) const;
    /// The same without how the layer mixes tokens, for a place that has no room for all words.
    QString briefCellText(int layer, int expert) const;
    /// The short form that is written into a cell that is large enough: "12", ".42"; empty for one that was not used.
    QString cellFigure(int layer, int expert) const;
    static QString figureOf(Kind kind, double value); ///< the same for any value
    /// A difference of two shares in the one unit for it: "34 points more", of 100 uses.
    static QString pointsText(double difference);
    static QString waitText(double seconds); ///< "1.4 ms"

    /// Number of tokens behind Counts, for "12 of 40 tokens".
    void setTokens(qint64 tokens);

  Q_SIGNALS:
    void changed();
    void layersChanged();
    void shapeChanged();
    void legendChanged();

  private:
    QString cellText(const QString& named, int layer, int expert) const; ///< named: the layer
    /// The values behind the legend.
    struct Legend {
        Kind kind = Counts;
        double most = 0;
        bool marked = false;
        bool onDevice = false;
        bool operator==(const Legend&) const = default;
    };

    template <class Value>
    std::span<const Value> ofLayer(const std::vector<Value>& all, int layer) const;
    bool isMarked(const std::vector<uint8_t>& marks, int layer, int expert) const;

    Content content_;
    std::vector<engine::LayerInfo> layers_; ///< [layers] or empty
    engine::ExpertIndex index_;
    Legend legend_; ///< the last one that views have read
    int experts_ = 0;
    qint64 tokens_ = 0;
};

using GridContent = ExpertGrid::Content;

} // namespace coterie::app
