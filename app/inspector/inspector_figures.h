// SPDX-License-Identifier: Apache-2.0
// The charts of the inspector and what they say. Computing them takes long (a replay of the trace for a dozen budgets),
// so it is one function without any state, which the inspector calls on a thread of its own.
#pragma once

#include "inspector/chart_data.h"
#include "records/expert_statistics.h"

#include <QStringList>

#include <functional>
#include <memory>

namespace coterie::app {

/// The data that the charts are computed from. Plain values, so that any thread may have them.
struct FigureRequest {
    std::vector<std::shared_ptr<const engine::TraceLog>> traces{}; ///< one after the other, of models with one shape
    std::vector<int64_t> expertsOfLayer{};
    // About the open model; 0 if it is not the one that wrote the answer.
    uint64_t slots = 0;     ///< experts that may be in memory now
    uint64_t slotBytes = 0; ///< bytes of one of them
    uint64_t budget = 0;    ///< bytes for the whole process
    uint64_t machine = 0;   ///< memory of the machine; 0: unknown
};

struct InspectorFigures {
    ChartData coverage{}, budgets{}, neurons{}, balance{}, evenness{};
    QString budgetText{};
    // The results in few words, see AnswerCharts.
    QString budgetResult{}, balanceResult{}, neuronsResult{};
    double betterBudget = 0; ///< bytes; 0: none would help, or none is possible
    QString balanceText{};
    QStringList pairs{};
};

/// Charts count the tokens of answers, without their prompts. Only the replay of budgets reads the prompts again, too.
/// stopped: called now and then. Once it returns true, the result will not be used, and may be incomplete.
InspectorFigures computeFigures(const FigureRequest& request, const std::function<bool()>& stopped);

} // namespace coterie::app
