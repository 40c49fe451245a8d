// A C++ caller of ../mlp and ../lorenz: the headers have extern "C", the signature says what a module takes and gives.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "lorenz.h"
#include "mlp.h"

// Any module, its arrays as vectors of float; by its signature alone.
class Model {
public:
    explicit Model(const hlocc_signature &signature) : signature(signature), workspace(signature.workspace_bytes(1) + 64) {}

    std::vector<std::vector<float>> operator()(const std::vector<std::vector<float>> &inputs) {
        std::vector<std::vector<float>> results(signature.results);
        std::vector<const void *> in;
        std::vector<void *> out;
        if (inputs.size() != std::size_t(signature.inputs)) throw std::invalid_argument("number of inputs");
        for (int i = 0; i < signature.inputs; i++) {
            if (inputs[i].size() * sizeof(float) != signature.input[i].bytes)
                throw std::invalid_argument(std::string("size of ") + signature.input[i].name);
            in.push_back(inputs[i].data());
        }
        for (int i = 0; i < signature.results; i++) {
            results[i].resize(signature.result[i].bytes / sizeof(float));
            out.push_back(results[i].data());
        }
        void *aligned = workspace.data();
        std::size_t space = workspace.size();
        std::align(64, 1, aligned, space);
        if (int error = signature.call(in.data(), out.data(), aligned, nullptr)) throw std::runtime_error(hlocc_strerror(error));
        return results;
    }

private:
    const hlocc_signature &signature;
    std::vector<unsigned char> workspace;
};

int main() {
    Model lorenz(jit_lorenz_signature), mlp(jit_mlp_signature);
    const std::vector<float> path = lorenz({{1, 1, 1}})[0];
    std::vector<float> points;
    for (std::size_t k = 0; k < 8; k++) {
        points.push_back(path[k * 300] / 25);
        points.push_back(path[k * 300 + 1] / 25);
    }
    const std::vector<float> values = mlp({points})[0];
    for (std::size_t k = 0; k < values.size(); k++)
        std::printf("net(%7.4f, %7.4f) = %7.4f\n", points[2 * k], points[2 * k + 1], values[k]);
    try {
        mlp({{1, 2, 3}});
    } catch (const std::invalid_argument &error) {
        std::printf("refused: %s\n", error.what());
        return 0;
    }
    return 1;
}
